#include "eal/worker_call.h"

#include <rte_launch.h>
#include <rte_lcore.h>

namespace xlatperf::eal {

int WorkerCall::run(void* call) {
    auto& self = *static_cast<WorkerCall*>(call);
    self.handed_over_.load(std::memory_order_acquire);
    self.what_();
    self.done_.store(true, std::memory_order_release);
    return 0;
}

bool WorkerCall::launch() {
    handed_over_.store(true, std::memory_order_release);
    return rte_eal_remote_launch(run, this, lcore_) == 0;
}

bool WorkerCall::running() const { return rte_eal_get_lcore_state(lcore_) == RUNNING; }

void WorkerCall::wait() {
    rte_eal_wait_lcore(lcore_);
    done_.load(std::memory_order_acquire);
}

}  // namespace xlatperf::eal
