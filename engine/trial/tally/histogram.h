// A log-linear histogram of nanoseconds in constant memory.
//
// Values below 1024 ns have a bucket each. Above, every power of two has 512 buckets, so a bucket that starts at v is at most v /
// 512 wide, and its middle is at most v / 1024 away from any value in it: a relative error below 0.1 %.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace xlatperf::trial {

class Histogram {
  public:
    static constexpr unsigned sub_bucket_bits = 10;
    static constexpr std::uint64_t exact_below = std::uint64_t{1} << sub_bucket_bits;
    static constexpr std::uint64_t half = exact_below / 2;
    static constexpr std::uint64_t largest_ns = (std::uint64_t{1} << 42) - 1;  // 73 minutes; longer delays count there

    Histogram() : counts_(index(largest_ns) + 1) {}

    static constexpr std::size_t index(std::uint64_t ns) {
        if (ns < exact_below) return ns;
        const auto shift = static_cast<unsigned>(std::bit_width(ns)) - sub_bucket_bits;
        return half * shift + (ns >> shift);
    }
    /// The middle of bucket `i`.
    static constexpr std::uint64_t middle(std::size_t i) {
        if (i < exact_below) return i;
        const auto shift = static_cast<unsigned>(i / half) - 1;
        return ((half + i % half) << shift) + (std::uint64_t{1} << shift) / 2;
    }

    void add(std::uint64_t ns, std::uint64_t times = 1) {
        counts_[index(std::min(ns, largest_ns))] += times;
        minimum_ = std::min(minimum_, ns);
        maximum_ = std::max(maximum_, ns);
        sum_ += ns * times;
    }

    /// `n` values, evenly spread from `largest` down to `smallest`, if all are of one bucket. Returns whether they are.
    bool add_spread(std::uint64_t smallest, std::uint64_t largest, std::uint64_t n) {
        const std::size_t bucket = index(std::min(largest, largest_ns));
        if (index(std::min(smallest, largest_ns)) != bucket) return false;
        counts_[bucket] += n;
        minimum_ = std::min(minimum_, smallest);
        maximum_ = std::max(maximum_, largest);
        sum_ += (smallest + largest) * n / 2;
        return true;
    }

    void add(const Histogram& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
        minimum_ = std::min(minimum_, other.minimum_);
        maximum_ = std::max(maximum_, other.maximum_);
        sum_ += other.sum_;
    }

    std::uint64_t count() const {
        std::uint64_t total = 0;
        for (const auto c : counts_) total += c;
        return total;
    }
    std::uint64_t minimum() const { return minimum_; }  ///< exact
    std::uint64_t maximum() const { return maximum_; }  ///< exact
    std::uint64_t sum() const { return sum_; }
    const std::vector<std::uint64_t>& counts() const { return counts_; }

    /// The value of rank `rank` (1 is the smallest), as the middle of its bucket but within minimum and maximum.
    std::uint64_t ranked(std::uint64_t rank) const {
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            seen += counts_[i];
            if (seen >= rank) return std::clamp(middle(i), minimum_, maximum_);
        }
        return maximum_;
    }

    /// RFC 2330 §11.3: the smallest value x with F(x) >= permille / 1000. Needs count() > 0.
    std::uint64_t percentile(std::uint64_t permille) const {
        const std::uint64_t n = count();
        return ranked(std::max<std::uint64_t>(1, n / 1000 * permille + (n % 1000 * permille + 999) / 1000));
    }
    /// RFC 2330 §11.3: for an even number the mean of the two central values.
    double median() const {
        const std::uint64_t n = count();
        if (n % 2 == 1) return static_cast<double>(ranked(n / 2 + 1));
        return (static_cast<double>(ranked(n / 2)) + static_cast<double>(ranked(n / 2 + 1))) / 2;
    }

  private:
    std::vector<std::uint64_t> counts_;
    std::uint64_t minimum_ = std::numeric_limits<std::uint64_t>::max(), maximum_ = 0, sum_ = 0;
};

}  // namespace xlatperf::trial
