#pragma once

#include <chrono>
#include <mutex>
#include <set>
#include <string>

namespace attest::cli {

// What is being done, on stderr: a bar with the claims done, the current one and the time left on a terminal, else one
// plain line for each finished task. Safe to call from several threads.
class Progress {
 public:
  Progress(std::size_t tasks, double weight);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void started(const std::string& title);
  void finished(const std::string& title, const std::string& verdict, double seconds, double weight);

 private:
  void draw();
  std::string time_left() const;

  std::mutex mutex_;
  std::size_t tasks_, done_ = 0;
  double weight_, done_weight_ = 0;
  std::multiset<std::string> running_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace attest::cli
