#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/claim/size.h"
#include "core/support/rational.h"
#include "model/safetensors.h"

namespace attest::model {

// The naming schemes of checkpoints that are understood (docs/checkpoints.md).
enum class Family { bert, gpt2, llama };
std::string to_string(Family family);

// Which family the tensor names follow, and what precedes the family's own names ("bert.", "transformer.", "model.",
// or nothing).
struct Layout {
  Family family = Family::bert;
  std::string prefix;
  std::int64_t layers = 0;
};

// Throws InputError that lists what was looked for where no family fits, where several models are in one file, or
// where a layer is missing between others.
Layout detect_layout(const std::string& file_name, const std::vector<std::string>& tensor_names);

// What the config.json does not say, or says wrongly.
struct CheckpointOptions {
  std::optional<std::int64_t> heads;
  std::optional<std::int64_t> key_value_heads;
  // A config.json elsewhere than beside the weights.
  std::optional<std::string> configuration;
};

// A trained model's layers under the names of the reference semantics: rows are tokens, a projection is X W + b.
class Checkpoint {
 public:
  // Throws InputError naming the file and the tensor or key where the layout is unknown, the number of heads is not
  // given anywhere, or the shapes of the first layer contradict each other or the configuration.
  static Checkpoint open(const std::string& path, const CheckpointOptions& options = {});
  Checkpoint(Checkpoint&&) noexcept;
  Checkpoint& operator=(Checkpoint&&) noexcept;
  ~Checkpoint();

  // The file's folder or file name, as it appears in reports.
  const std::string& name() const;
  const std::string& path() const;
  Family family() const;
  const Layout& layout() const;
  // d, h, g, k, L and m of the model; n, which weights do not determine, is 1.
  const claim::Size& size() const;
  std::int64_t layers() const { return size().L; }
  // The configuration's name of the activation, "" where it has none.
  const std::string& activation() const;
  const SafetensorsFile& file() const;

  // The weights of layer 1 .. L, exactly: W_Q (d x hk), W_K, W_V (d x gk), W_O (hk x d), W_1 (d x m), W_2 (m x d), or
  // W_gate, W_up (d x m), W_down (m x d); gamma_1, gamma_2 (1 x d) of the norms at the attention and at the MLP; and,
  // where the model has them, b_Q, b_K, b_V, b_O, b_1, b_2, b_gate, b_up, b_down, beta_1, beta_2 as rows.
  // Throws InputError naming file and tensor where one is missing, has another shape, or holds NaN or an infinity.
  std::map<std::string, DoubleMatrix> layer(std::int64_t index) const;
  // One of them, or InputError with the names that the layer has.
  DoubleMatrix weight(std::int64_t index, const std::string& name) const;
  // The tensor of the file that a name of layer() is read from, for messages and for writing it back.
  std::string tensor_name(std::int64_t index, const std::string& name) const;

 private:
  struct State;
  explicit Checkpoint(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

DoubleMatrix transposed(const DoubleMatrix& matrix);
DoubleMatrix columns(const DoubleMatrix& matrix, std::int64_t first, std::int64_t count);

}  // namespace attest::model
