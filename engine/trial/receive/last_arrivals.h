// When each receiver of a direction got its last right frame: a gap is one only if none of them got any.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace xlatperf::trial {

class LastArrivals {
  public:
    struct Latest {
        std::uint64_t ticks = 0, number = 0;  ///< 0 ticks: nothing has arrived
    };

    explicit LastArrivals(unsigned receivers) : each_(receivers) {}

    /// By the receiver's worker.
    void set(unsigned receiver, Latest last) {
        each_[receiver].number.store(last.number, std::memory_order_relaxed);
        each_[receiver].ticks.store(last.ticks, std::memory_order_release);
    }

    /// By anyone, of all receivers.
    Latest latest() const {
        Latest found;
        for (const auto& one : each_) {
            const std::uint64_t ticks = one.ticks.load(std::memory_order_acquire);
            if (ticks > found.ticks) found = {ticks, one.number.load(std::memory_order_relaxed)};
        }
        return found;
    }
    std::uint64_t highest_number() const {
        std::uint64_t highest = 0;
        for (const auto& one : each_) highest = std::max(highest, one.number.load(std::memory_order_relaxed));
        return highest;
    }
    std::size_t receivers() const { return each_.size(); }

  private:
    struct alignas(64) One {  // a cache line: each is written by another core
        std::atomic<std::uint64_t> ticks = 0, number = 0;
    };
    std::vector<One> each_;
};

}  // namespace xlatperf::trial
