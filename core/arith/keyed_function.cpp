#include "core/arith/keyed_function.h"

#include "core/support/check.h"

namespace attest::arith {
namespace {

std::array<std::uint64_t, 2> key_of(const RandomStream& stream) {
  return {stream.child(std::uint64_t{0}).key(), stream.child(std::uint64_t{1}).key()};
}

}  // namespace

KeyedFunction::KeyedFunction(std::uint64_t p, std::uint64_t seed, std::string_view name) : uniform_(p) {
  const RandomStream stream = RandomStream(seed).child("function symbol").child(name);
  value_key_ = key_of(stream.child("value"));
  digest_keys_ = {key_of(stream.child("digest, first word")), key_of(stream.child("digest, second word"))};
}

// The last word is the counter.
template <std::size_t count>
std::uint64_t KeyedFunction::draw(std::array<std::uint64_t, count> words) const {
  for (words.back() = 0;; ++words.back())
    if (const auto residue = uniform_.map(siphash(value_key_, words.data(), words.size()))) return *residue;
}

std::uint64_t KeyedFunction::value(std::uint64_t argument) const {
  return draw(std::array<std::uint64_t, 2>{argument, 0});
}

std::vector<std::uint64_t> KeyedFunction::row(const std::vector<std::int64_t>& positions,
                                              const std::vector<std::uint64_t>& arguments) const {
  ATTEST_CHECK(positions.size() == arguments.size(), "a row function needs one position for each argument");
  std::vector<std::uint64_t> words{positions.size()};
  words.insert(words.end(), positions.begin(), positions.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::uint64_t first = siphash(digest_keys_[0], words.data(), words.size());
  const std::uint64_t second = siphash(digest_keys_[1], words.data(), words.size());
  std::vector<std::uint64_t> values;
  for (const std::int64_t position : positions)
    values.push_back(draw(std::array<std::uint64_t, 4>{first, second, static_cast<std::uint64_t>(position), 0}));
  return values;
}

}  // namespace attest::arith
