#pragma once

#include <stdexcept>

namespace attest {

// Bad input from outside (a file, an option, a shape): the message names the thing, its value, what was expected and
// what to do. Thrown by readers and by claim builders, caught in cli/, exit code 3.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attest
