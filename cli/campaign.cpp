#include "cli/campaign.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <numeric>
#include <thread>

#include "cli/progress.h"
#include "core/arith/thread_caches.h"
#include "core/support/check.h"

namespace attest::cli {
namespace {

std::atomic<bool> interrupt_requested{false};

void request_interrupt(int) { interrupt_requested = true; }

// Ctrl-C asks for the partial record; a second one ends the process.
class InterruptGuard {
 public:
  InterruptGuard() {
    struct sigaction action {};
    action.sa_handler = request_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &previous_);
  }
  ~InterruptGuard() { sigaction(SIGINT, &previous_, nullptr); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction previous_ {};
};

// Shared with the workers, which may outlive the campaign when it is interrupted: they are detached then, and the
// process ends soon after.
struct Board {
  std::vector<Task> tasks;
  std::vector<std::size_t> order;
  std::vector<std::optional<verdict::Result>> results;
  std::size_t next = 0, running = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_ptr<Progress> progress;
};

verdict::Result run_task(const Task& task) {
  try {
    return task.run();
  } catch (const std::exception& error) {
    verdict::Result failed = task.blank;
    failed.verdict = verdict::Verdict::error;
    failed.reason = error.what();
    return failed;
  }
}

void take_tasks(const std::shared_ptr<Board>& board) {
  for (;;) {
    std::size_t index = 0;
    {
      const std::lock_guard lock(board->mutex);
      if (board->next == board->order.size() || interrupt_requested) return;
      index = board->order[board->next++];
      ++board->running;
    }
    const Task& task = board->tasks[index];
    board->progress->started(task.title);
    verdict::Result result = run_task(task);
    board->progress->finished(task.title, verdict::to_string(result.verdict), result.measured.seconds, task.weight);
    {
      const std::lock_guard lock(board->mutex);
      board->results[index] = std::move(result);
      --board->running;
    }
    board->changed.notify_all();
  }
}

void work(const std::shared_ptr<Board>& board) {
  take_tasks(board);
  arith::release_thread_caches();
}

std::vector<std::size_t> costly_first(const std::vector<Task>& tasks) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tasks[a].weight != tasks[b].weight ? tasks[a].weight > tasks[b].weight : a < b;
  });
  return order;
}

bool all_done(const Board& board) { return board.next == board.order.size() && board.running == 0; }

}  // namespace

verdict::Report run_campaign(const std::vector<Task>& tasks, std::int64_t jobs) {
  const InterruptGuard guard;
  const auto board = std::make_shared<Board>();
  board->tasks = tasks;
  board->order = costly_first(tasks);
  board->results.resize(tasks.size());
  double weight = 0;
  for (const Task& task : tasks) weight += task.weight;
  board->progress = std::make_unique<Progress>(tasks.size(), weight);
  std::vector<std::thread> workers;
  for (std::int64_t i = 0; i < jobs; ++i) workers.emplace_back(work, board);
  verdict::Report report;
  {
    std::unique_lock lock(board->mutex);
    while (!all_done(*board) && !interrupt_requested) board->changed.wait_for(lock, std::chrono::milliseconds(100));
    report.interrupted = !all_done(*board);
    for (const auto& result : board->results)
      if (result) report.results.push_back(*result);
  }
  for (std::thread& worker : workers) report.interrupted ? worker.detach() : worker.join();
  return report;
}

}  // namespace attest::cli
