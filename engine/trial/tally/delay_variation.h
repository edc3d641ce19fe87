// Inter-packet delay variation (RFC 5481 §4.1, RFC 8219 §7.3.2): D(i) - D(i - 1) of consecutive frames in the order of sending. A
// pair of which a frame is lost has none. Memory is constant: a frame waits for its neighbours among the last 2^20. They may
// arrive at other receivers: so the delays of a direction are known to all of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "trial/tally/histogram.h"

namespace xlatperf::trial {

class LatestDelays {
  public:
    static constexpr std::size_t remembered = 1U << 20;

    /// `shared`: by several receivers, each of which may be another thread.
    explicit LatestDelays(bool shared = false) : slots_(remembered), shared_(shared) {}

    /// Frame `index` arrived. False if it did before, at another receiver.
    bool put(std::uint64_t index, std::uint64_t delay_ns) {
        auto& slot = slots_[index % remembered];
        const std::uint64_t word = round_of(index) | std::min<std::uint64_t>(delay_ns, delay_bits);
        if (!shared_) {
            slot.store(word, std::memory_order_relaxed);
            return true;
        }
        // In one order with all others: of two neighbours at least one sees the other.
        std::uint64_t before = slot.load();
        do {
            if ((before & round_bits) == round_of(index)) return false;
        } while (!slot.compare_exchange_weak(before, word));
        return true;
    }
    std::optional<std::uint64_t> delay_ns(std::uint64_t index) const {
        const std::uint64_t word = slots_[index % remembered].load();
        if ((word & round_bits) != round_of(index)) return {};
        return word & delay_bits;
    }
    /// Whether the pair of a frame, which is known, and the one before is the caller's to count: of two receivers that ask,
    /// one's.
    bool claim(std::uint64_t index) {
        if (!shared_) return true;  // only the second to arrive asks
        auto& slot = slots_[index % remembered];
        std::uint64_t word = slot.load();
        return (word & (round_bits | claimed)) == round_of(index) && slot.compare_exchange_strong(word, word | claimed);
    }

  private:
    static constexpr std::uint64_t delay_bits = 0xffffffff, claimed = std::uint64_t{1} << 32,
                                   round_bits = ~(delay_bits | claimed);
    static constexpr std::uint64_t round_of(std::uint64_t index) { return (index / remembered + 1) << 33; }  // 0: never used

    std::vector<std::atomic<std::uint64_t>> slots_;
    bool shared_;
};

class DelayVariation {
  public:
    /// `latest`: of its own, or those of all receivers of the direction.
    explicit DelayVariation(std::shared_ptr<LatestDelays> latest = std::make_shared<LatestDelays>())
        : latest_(std::move(latest)) {}

    /// Frame `index` of its class arrived for the first time, `delay_ns` after it left.
    void add(std::uint64_t index, std::uint64_t delay_ns) {
        if (!latest_->put(index, delay_ns)) return;
        if (index > 0) pair(index - 1, index);
        pair(index, index + 1);
    }

    /// The pairs that another receiver counted.
    void add(const DelayVariation& other) {
        positive_.add(other.positive_);
        negative_.add(other.negative_);
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
    static std::int64_t signed_value(std::uint64_t value) { return static_cast<std::int64_t>(value); }

    void pair(std::uint64_t first, std::uint64_t second) {
        const auto a = latest_->delay_ns(first), b = latest_->delay_ns(second);
        if (!a || !b || !latest_->claim(second)) return;
        if (*b >= *a) {
            positive_.add(*b - *a);
        } else {
            negative_.add(*a - *b);
        }
    }
    double ranked(std::uint64_t rank) const {
        const std::uint64_t negatives = negative_.count();
        if (rank <= negatives) return -static_cast<double>(negative_.ranked(negatives - rank + 1));
        return static_cast<double>(positive_.ranked(rank - negatives));
    }

    std::shared_ptr<LatestDelays> latest_;
    Histogram positive_, negative_;  // zero is positive
};

}  // namespace xlatperf::trial
