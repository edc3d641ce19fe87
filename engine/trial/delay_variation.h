// Inter-packet delay variation (RFC 5481 §4.1, RFC 8219 §7.3.2): D(i) - D(i - 1) of consecutive frames in the order of sending. A
// pair of which a frame is lost has none. Memory is constant: a frame waits for its neighbours among the last 2^20.
#pragma once

#include <cstdint>
#include <vector>

#include "trial/histogram.h"

namespace xlatperf::trial {

class DelayVariation {
  public:
    static constexpr std::size_t remembered = 1U << 20;

    DelayVariation() : slots_(remembered) {}

    /// Frame `index` of its class arrived for the first time, `delay_ns` after it left.
    void add(std::uint64_t index, std::uint64_t delay_ns) {
        const auto delay = static_cast<std::uint32_t>(std::min<std::uint64_t>(delay_ns, ~std::uint32_t{0}));
        slots_[index % remembered] = {static_cast<std::uint32_t>(index / remembered) + 1, delay};
        if (index > 0) pair(index - 1, index);
        pair(index, index + 1);
    }

    std::uint64_t pairs() const { return positive_.count() + negative_.count(); }
    double mean_ns() const {
        const auto n = static_cast<double>(pairs());
        return n > 0 ? (static_cast<double>(positive_.sum()) - static_cast<double>(negative_.sum())) / n : 0;
    }
    std::int64_t minimum_ns() const {
        return negative_.count() > 0 ? -signed_value(negative_.maximum()) : signed_value(positive_.minimum());
    }
    std::int64_t maximum_ns() const {
        return positive_.count() > 0 ? signed_value(positive_.maximum()) : -signed_value(negative_.minimum());
    }

    /// RFC 2330 §11.3. Needs pairs() > 0.
    double median_ns() const {
        const std::uint64_t n = pairs();
        if (n % 2 == 1) return ranked(n / 2 + 1);
        return (ranked(n / 2) + ranked(n / 2 + 1)) / 2;
    }

  private:
    struct Slot {
        std::uint32_t round = 0;  // index / remembered + 1; 0: never used
        std::uint32_t delay_ns = 0;
    };

    static std::int64_t signed_value(std::uint64_t value) { return static_cast<std::int64_t>(value); }

    const Slot* find(std::uint64_t index) const {
        const Slot& slot = slots_[index % remembered];
        return slot.round == static_cast<std::uint32_t>(index / remembered) + 1 ? &slot : nullptr;
    }
    void pair(std::uint64_t first, std::uint64_t second) {
        const Slot* a = find(first);
        const Slot* b = find(second);
        if (a == nullptr || b == nullptr) return;
        if (b->delay_ns >= a->delay_ns) {
            positive_.add(b->delay_ns - a->delay_ns);
        } else {
            negative_.add(a->delay_ns - b->delay_ns);
        }
    }
    double ranked(std::uint64_t rank) const {
        const std::uint64_t negatives = negative_.count();
        if (rank <= negatives) return -static_cast<double>(negative_.ranked(negatives - rank + 1));
        return static_cast<double>(positive_.ranked(rank - negatives));
    }

    std::vector<Slot> slots_;
    Histogram positive_, negative_;  // zero is positive
};

}  // namespace xlatperf::trial
