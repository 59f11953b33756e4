#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

namespace attest::test {

// Runs the action in a process of its own: what it wrote to stderr if it ended by abort(), else "did not abort".
template <class Action>
std::string abort_message(Action action) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);
    action();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string message;
  std::array<char, 1024> buffer{};
  for (ssize_t got; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    message.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? message : "did not abort";
}

}  // namespace attest::test
