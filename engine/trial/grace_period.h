// When every worker has polled again since something was published to all of them (RCU, quiescent states): from then on none uses
// what was there before.
#pragma once

#include <rte_rcu_qsbr.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace xlatperf::trial {

class GracePeriod {
  public:
    explicit GracePeriod(unsigned workers) : workers_(static_cast<rte_rcu_qsbr*>(std::aligned_alloc(64, size(workers)))) {
        if (!workers_) throw std::bad_alloc();
        rte_rcu_qsbr_init(workers_.get(), workers);
        for (unsigned i = 0; i < workers; ++i) {
            rte_rcu_qsbr_thread_register(workers_.get(), i);
            rte_rcu_qsbr_thread_online(workers_.get(), i);
        }
    }

    /// By worker `i`: it uses nothing now.
    void polled(unsigned i) { rte_rcu_qsbr_quiescent(workers_.get(), i); }
    /// It uses nothing any more.
    void left(unsigned i) { rte_rcu_qsbr_thread_offline(workers_.get(), i); }

    /// By the one who publishes, right after it did.
    void begin() {
        token_ = rte_rcu_qsbr_start(workers_.get());
        begun_ = true;
    }
    bool begun() const { return begun_; }
    /// Whether all have polled since then; once.
    bool over() {
        if (!begun_ || rte_rcu_qsbr_check(workers_.get(), token_, false) == 0) return false;
        begun_ = false;
        return true;
    }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    static std::size_t size(unsigned workers) { return (rte_rcu_qsbr_get_memsize(workers) + 63) / 64 * 64; }

    std::unique_ptr<rte_rcu_qsbr, Free> workers_;
    std::uint64_t token_ = 0;
    bool begun_ = false;
};

}  // namespace xlatperf::trial
