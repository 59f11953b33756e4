#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace attest::cli {
namespace {

std::size_t terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

Progress::Progress(std::size_t tasks, double weight)
    : tasks_(tasks), weight_(weight), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

void Progress::started(const std::string& title) {
  const std::lock_guard lock(mutex_);
  running_.insert(title);
  if (terminal_) draw();
}

void Progress::finished(const std::string& title, const std::string& verdict, double seconds, double weight) {
  const std::lock_guard lock(mutex_);
  ++done_;
  done_weight_ += weight;
  const auto found = running_.find(title);
  if (found != running_.end()) running_.erase(found);
  if (terminal_)
    draw();
  else
    std::cerr << '[' << done_ << '/' << tasks_ << "] " << title << ": " << verdict << " (" << std::fixed
              << std::setprecision(1) << seconds << " s)\n";
}

std::string Progress::time_left() const {
  if (done_weight_ < 0.01 * weight_) return "";  // too early for an estimate
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const auto seconds = static_cast<std::int64_t>(elapsed * (weight_ - done_weight_) / done_weight_);
  std::ostringstream text;
  text << ", " << seconds / 60 << ':' << (seconds % 60 < 10 ? "0" : "") << seconds % 60 << " left";
  return text.str();
}

void Progress::draw() {
  constexpr std::size_t width = 24;
  const std::size_t filled = tasks_ == 0 ? width : done_ * width / tasks_;
  std::string line = "[" + std::string(filled, '#') + std::string(width - filled, '-') + "] " + std::to_string(done_) +
                     "/" + std::to_string(tasks_) + time_left();
  if (!running_.empty()) line += "  " + *running_.begin();
  line.resize(std::min(line.size(), terminal_columns() - 1));
  std::cerr << '\r' << line << "\x1b[K" << std::flush;
}

}  // namespace attest::cli
