#include "model/layout.h"

#include <filesystem>

#include "core/support/check.h"
#include "core/support/error.h"
#include "core/support/text.h"
#include "model/configuration.h"
#include "model/family.h"

namespace attest::model {

struct Checkpoint::State {
  State(const std::string& path, Configuration config) : file(path), configuration(std::move(config)) {}
  SafetensorsFile file;
  Configuration configuration;
  Layout layout;
  claim::Size size;
  std::string activation;
};

namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t extent(Extent which, const claim::Size& size) {
  switch (which) {
    case Extent::one:
      return 1;
    case Extent::residual:
      return size.d;
    case Extent::query:
      return size.h * size.k;
    case Extent::key_value:
      return size.g * size.k;
    case Extent::hidden:
      return size.m;
  }
  return 0;
}

std::string text(Extent which) {
  switch (which) {
    case Extent::one:
      return "1";
    case Extent::residual:
      return "d";
    case Extent::query:
      return "h k";
    case Extent::key_value:
      return "g k";
    case Extent::hidden:
      return "m";
  }
  return "?";
}

// The shape that the tensor of an entry has in the file.
Shape stored_shape(const Entry& entry, const claim::Size& size) {
  const std::int64_t rows = extent(entry.rows, size), cols = extent(entry.cols, size) * entry.parts;
  if (entry.storage == Storage::row) return {cols};
  return entry.storage == Storage::out_by_in ? Shape{cols, rows} : Shape{rows, cols};
}

const Entry& entry_named(const FamilyDescription& family, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& entry : family.entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw InputError("a " + family.name + " layer has no weight '" + name + "'; it has " + join(names, ", "));
}

// The first of the alternatives that the file has; the first of all where it has none.
std::string file_tensor(const SafetensorsFile& file, const Layout& layout, std::int64_t index, const Entry& entry) {
  const std::string stem = layout.prefix + describe(layout.family).layer_prefix + std::to_string(index - 1) + ".";
  for (const auto& suffix : entry.suffixes)
    if (file.contains(stem + suffix)) return stem + suffix;
  return stem + entry.suffixes.front();
}

void require_shape(const SafetensorsFile& file, const std::string& tensor, const Entry& entry,
                   const claim::Size& size) {
  const Shape expected = stored_shape(entry, size);
  const Shape& actual = file.info(tensor).shape;
  if (actual == expected) return;
  const std::string parts = entry.parts > 1 ? std::to_string(entry.parts) + " blocks of columns, " : "";
  throw InputError("'" + file.path() + "': tensor '" + tensor + "' has shape " + shape_text(actual) + "; expected " +
                   shape_text(expected) + ", since " + entry.name + " is " + text(entry.rows) + " x " +
                   text(entry.cols) + " (" + parts + "d = " + std::to_string(size.d) +
                   ", h = " + std::to_string(size.h) + ", g = " + std::to_string(size.g) +
                   ", k = " + std::to_string(size.k) + ", m = " + std::to_string(size.m) + ")");
}

// The matrix of the entry inside the tensor that holds it.
DoubleMatrix extract(const Entry& entry, const claim::Size& size, DoubleMatrix stored) {
  if (entry.storage == Storage::out_by_in) stored = transposed(stored);
  if (entry.parts == 1) return stored;
  const std::int64_t width = extent(entry.cols, size);
  return columns(stored, entry.part * width, width);
}

// rows x cols of the matrix of an entry, from the shape of its tensor alone.
std::pair<std::int64_t, std::int64_t> matrix_shape(const SafetensorsFile& file, const Layout& layout,
                                                   const Entry& entry) {
  const std::string tensor = file_tensor(file, layout, 1, entry);
  const Shape& shape = file.info(tensor).shape;
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0)
    throw InputError("'" + file.path() + "': tensor '" + tensor + "' has shape " + shape_text(shape) +
                     "; expected a matrix with 2 positive dimensions");
  const bool swap = entry.storage == Storage::out_by_in;
  return {shape[swap ? 1 : 0], shape[swap ? 0 : 1] / entry.parts};
}

std::int64_t required_heads(const FamilyDescription& family, const Configuration& configuration,
                            const CheckpointOptions& options) {
  if (options.heads.has_value()) {
    if (*options.heads <= 0)
      throw InputError("the number of heads is " + std::to_string(*options.heads) + "; expected a positive number");
    return *options.heads;
  }
  if (const auto heads = configuration.count(family.heads_key)) return *heads;
  throw InputError(
      "the number of heads is unknown: key '" + family.heads_key + "' is not in '" + configuration.path() + "'" +
      (configuration.present() ? "" : " (there is no such file)") +
      "; tensor shapes do not show it: put the model's config.json beside the weights, or give the number");
}

void require_divides(const std::string& place, const std::string& divisor_text, std::int64_t divisor,
                     const std::string& dividend_text, std::int64_t dividend) {
  if (dividend % divisor == 0) return;
  throw InputError(place + ": " + divisor_text + " = " + std::to_string(divisor) + " does not divide " + dividend_text +
                   " = " + std::to_string(dividend) + "; check the number of heads");
}

claim::Size read_size(const SafetensorsFile& file, const Layout& layout, const Configuration& configuration,
                      const CheckpointOptions& options) {
  const FamilyDescription& family = describe(layout.family);
  const std::string place = "'" + file.path() + "'";
  claim::Size size;
  size.n = 1;
  size.L = layout.layers;
  const auto [d, query_width] = matrix_shape(file, layout, entry_named(family, "W_Q"));
  size.d = d;
  size.m = matrix_shape(file, layout, entry_named(family, family.hidden_name)).second;
  size.h = required_heads(family, configuration, options);
  require_divides(place, "the number of heads", size.h, "the columns of W_Q", query_width);
  size.k = query_width / size.h;
  if (const auto width = family.head_width_key.empty() ? std::nullopt : configuration.count(family.head_width_key);
      width.has_value() && *width != size.k)
    throw InputError("'" + configuration.path() + "': key '" + family.head_width_key + "' is " +
                     std::to_string(*width) + "; expected " + std::to_string(size.k) + ": W_Q has " +
                     std::to_string(query_width) + " columns for " + std::to_string(size.h) + " heads");
  size.g = size.h;
  if (options.key_value_heads.has_value()) {
    if (*options.key_value_heads <= 0)
      throw InputError("the number of KV heads is " + std::to_string(*options.key_value_heads) +
                       "; expected a positive number");
    size.g = *options.key_value_heads;
  } else if (!family.key_value_heads_key.empty()) {
    size.g = configuration.count(family.key_value_heads_key).value_or(size.h);
  }
  require_divides(place, "the number of KV heads", size.g, "the number of heads", size.h);
  return size;
}

void require_layer_count(const Layout& layout, const SafetensorsFile& file, const Configuration& configuration) {
  const std::string key = layout.family == Family::gpt2 ? "n_layer" : "num_hidden_layers";
  const auto declared = configuration.count(key);
  if (declared.has_value() && *declared != layout.layers)
    throw InputError("'" + configuration.path() + "': key '" + key + "' is " + std::to_string(*declared) +
                     "; expected " + std::to_string(layout.layers) + ", the layers in '" + file.path() +
                     "': they belong to different models, or the checkpoint is split over several files");
}

std::string report_name(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.stem() != "model") return file.stem().string();
  const auto folder = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
  return folder.empty() ? file.stem().string() : folder;
}

}  // namespace

Checkpoint::Checkpoint(std::unique_ptr<State> state) : state_(std::move(state)) {}
Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;
Checkpoint& Checkpoint::operator=(Checkpoint&&) noexcept = default;
Checkpoint::~Checkpoint() = default;

Checkpoint Checkpoint::open(const std::string& path, const CheckpointOptions& options) {
  auto state =
      std::make_unique<State>(path, options.configuration.has_value() ? Configuration::read(*options.configuration)
                                                                      : Configuration::beside(path));
  state->layout = detect_layout(path, state->file.names());
  const FamilyDescription& family = describe(state->layout.family);
  require_layer_count(state->layout, state->file, state->configuration);
  state->size = read_size(state->file, state->layout, state->configuration, options);
  state->size.name = report_name(path);
  state->activation = state->configuration.text(family.activation_key).value_or("");
  for (const auto& entry : family.entries) {
    const std::string tensor = file_tensor(state->file, state->layout, 1, entry);
    if (!entry.optional || state->file.contains(tensor)) require_shape(state->file, tensor, entry, state->size);
  }
  return Checkpoint(std::move(state));
}

const std::string& Checkpoint::name() const { return state_->size.name; }
const std::string& Checkpoint::path() const { return state_->file.path(); }
Family Checkpoint::family() const { return state_->layout.family; }
const Layout& Checkpoint::layout() const { return state_->layout; }
const claim::Size& Checkpoint::size() const { return state_->size; }
const std::string& Checkpoint::activation() const { return state_->activation; }
const SafetensorsFile& Checkpoint::file() const { return state_->file; }

std::string Checkpoint::tensor_name(std::int64_t index, const std::string& name) const {
  if (index < 1 || index > layers())
    throw InputError("'" + path() + "': there is no layer " + std::to_string(index) + "; expected 1 to " +
                     std::to_string(layers()));
  return file_tensor(state_->file, state_->layout, index, entry_named(describe(family()), name));
}

DoubleMatrix Checkpoint::weight(std::int64_t index, const std::string& name) const {
  const std::string tensor = tensor_name(index, name);
  const Entry& entry = entry_named(describe(family()), name);
  require_shape(state_->file, tensor, entry, size());
  return extract(entry, size(), state_->file.read(tensor));
}

std::map<std::string, DoubleMatrix> Checkpoint::layer(std::int64_t index) const {
  std::map<std::string, DoubleMatrix> weights;
  for (const auto& entry : describe(family()).entries)
    if (!entry.optional || state_->file.contains(tensor_name(index, entry.name)))
      weights.emplace(entry.name, weight(index, entry.name));
  return weights;
}

DoubleMatrix transposed(const DoubleMatrix& matrix) {
  DoubleMatrix result(matrix.cols, matrix.rows);
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t col = 0; col < matrix.cols; ++col) result.at(col, row) = matrix.at(row, col);
  return result;
}

DoubleMatrix columns(const DoubleMatrix& matrix, std::int64_t first, std::int64_t count) {
  ATTEST_CHECK(first >= 0 && count >= 0 && first + count <= matrix.cols, "a block of columns inside the matrix");
  DoubleMatrix result(matrix.rows, count);
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t col = 0; col < count; ++col) result.at(row, col) = matrix.at(row, first + col);
  return result;
}

}  // namespace attest::model
