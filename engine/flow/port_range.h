// UDP ports of a flow: a range and the order in which frames go through it (RFC 4814 §4.5).
#pragma once

#include <cstdint>

#include "flow/modulo.h"
#include "flow/random.h"
#include "wire/words.h"

namespace xlatperf::flow {

enum class Order : std::uint8_t { fixed, increasing, decreasing, pseudorandom };
inline constexpr wire::Word<Order> order_words[] = {{"pseudorandom", Order::pseudorandom},
                                                    {"increasing", Order::increasing},
                                                    {"decreasing", Order::decreasing},
                                                    {"fixed", Order::fixed}};

class PortRange {
  public:
    PortRange() : PortRange(Order::fixed, 0, 0) {}
    /// Ports `first` to `last`, inclusive; `first <= last`.
    PortRange(Order order, std::uint16_t first, std::uint16_t last)
        : order_(order), first_(first), modulo_(static_cast<std::uint32_t>(last - first) + 1) {}

    Order order() const { return order_; }
    std::uint16_t first() const { return first_; }
    std::uint16_t last() const { return static_cast<std::uint16_t>(first_ + modulo_.divisor() - 1); }

    /// Whether a port follows from random bits alone.
    bool drawn() const { return order_ == Order::pseudorandom || order_ == Order::fixed; }
    /// Out of how many ports one is drawn, the first being `first()`.
    std::uint32_t drawn_from() const { return order_ == Order::fixed ? 1 : modulo_.divisor(); }

    /// The port of frame `sequence`, for which `random` was drawn.
    std::uint16_t port(std::uint64_t sequence, std::uint32_t random) const {
        if (order_ == Order::pseudorandom) return offset(spread(random, modulo_.divisor()));
        if (order_ == Order::fixed) return first_;
        const std::uint32_t step = modulo_(sequence);
        return offset(order_ == Order::increasing ? step : modulo_.divisor() - 1 - step);
    }

  private:
    std::uint16_t offset(std::uint32_t by) const { return static_cast<std::uint16_t>(first_ + by); }

    Order order_;
    std::uint16_t first_;
    Modulo modulo_;
};

}  // namespace xlatperf::flow
