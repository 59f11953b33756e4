#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest {

// The candidates nearest to `name` by edit distance, best first, at most `most`; for "did you mean".
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& candidates,
                                       std::size_t most = 3);

std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace attest
