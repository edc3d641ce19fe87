// A function that runs on a worker's core.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

namespace xlatperf::eal {

/// What was written before launch() is seen by the function, and what it has written by who has waited for it: DPDK says so of
/// its launch and wait, but ThreadSanitizer sees only what is built with it. Stays in its place from launch() to the end of
/// wait().
class WorkerCall {
  public:
    WorkerCall(unsigned lcore, std::function<void()> what) : lcore_(lcore), what_(std::move(what)) {}
    WorkerCall(const WorkerCall&) = delete;
    WorkerCall& operator=(const WorkerCall&) = delete;

    /// False: the worker has another function to run.
    [[nodiscard]] bool launch();
    [[nodiscard]] bool running() const;

    void wait();

  private:
    static int run(void* call);

    unsigned lcore_;
    std::function<void()> what_;
    std::atomic<bool> handed_over_{false}, done_{false};
};

}  // namespace xlatperf::eal
