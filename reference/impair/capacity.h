// A server that needs 1/rate for each packet, with room for `buffer` waiting ones.
#pragma once

#include <cstdint>
#include <optional>

#include "wire/address.h"

namespace xlatperf::reference {

/// Times are nanoseconds with 32 bits of fraction: at 10 Mfps the rate is exact to 2e-12, and nothing adds up over time.
class Capacity {
  public:
    Capacity(double rate_fps, std::uint64_t buffer)
        : interval_(static_cast<wire::Bits128>(static_cast<long double>(one_second) / rate_fps + 0.5L)), buffer_(buffer) {}

    /// A packet arrives. It's served at max(arrival, end of the previous service), nothing: it's dropped since `buffer`
    /// packets already wait. Arrivals must not go back in time.
    std::optional<std::uint64_t> serve(std::uint64_t arrival_ns) {
        const wire::Bits128 arrival = wire::Bits128{arrival_ns} << 32;
        if (free_at_ <= arrival) {
            free_at_ = arrival + interval_;
            return arrival_ns;
        }
        // The last packet is served at free_at - interval; those before it one interval apart. More than buffer - 1
        // intervals from now until then means that `buffer` packets are waiting.
        if (buffer_ == 0 || free_at_ > arrival + buffer_ * interval_) return {};
        const auto served = static_cast<std::uint64_t>(free_at_ >> 32);
        free_at_ += interval_;
        return served;
    }

  private:
    static constexpr long double one_second = 1e9L * 4294967296.0L;
    wire::Bits128 interval_, free_at_ = 0;
    std::uint64_t buffer_;
};

}  // namespace xlatperf::reference
