#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/support/check.h"

namespace attest {

enum class Status {
  success,
  undefined,  // the mathematics gives no value: 1/0, a softmax row without a visible key
  unable,     // there may be a value, but this arithmetic cannot produce it
};

// A value, or the reason why there is none. Reading the value of a failure is a programmer error.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): success reads as the value
  static Outcome undefined(std::string reason) { return Outcome(Status::undefined, std::move(reason)); }
  static Outcome unable(std::string reason) { return Outcome(Status::unable, std::move(reason)); }
  template <class U>
  static Outcome failure_of(const Outcome<U>& other) {
    return Outcome(other.status(), other.reason());
  }

  Status status() const { return status_; }
  bool ok() const { return status_ == Status::success; }
  const std::string& reason() const { return reason_; }
  const T& value() const& {
    ATTEST_CHECK(value_.has_value(), reason_);
    return *value_;
  }
  T&& value() && {
    ATTEST_CHECK(value_.has_value(), reason_);
    return std::move(*value_);
  }

 private:
  Outcome(Status status, std::string reason) : status_(status), reason_(std::move(reason)) {
    ATTEST_CHECK(status_ != Status::success, "a failure needs a failing status");
  }
  Status status_ = Status::success;
  std::string reason_;
  std::optional<T> value_;
};

}  // namespace attest
