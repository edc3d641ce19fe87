// Foreground (translated) and background (native IPv6) frames in one stream (RFC 8219 §5.3).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "flow/modulo.h"

namespace xlatperf::flow {

enum class Class : std::uint8_t { foreground, background };
inline constexpr std::size_t classes = 2;
constexpr std::string_view name(Class of) { return of == Class::foreground ? "foreground" : "background"; }

/// `take` of `of` frames are foreground, spread evenly (Bresenham) rather than in runs.
class TrafficMix {
  public:
    TrafficMix(std::uint32_t take, std::uint32_t of) : modulo_(of), take_(take), pattern_(of) {
        for (std::uint64_t i = 0; i < of; ++i) {
            const bool foreground = (i + 1) * take / of != i * take / of;
            pattern_[i] = foreground ? Class::foreground : Class::background;
        }
    }

    bool only_foreground() const { return take_ == modulo_.divisor(); }
    bool only_background() const { return take_ == 0; }
    Class operator()(std::uint64_t sequence) const { return pattern_[modulo_(sequence)]; }

    /// How many of the numbers below `end` are foreground.
    std::uint64_t foreground_below(std::uint64_t end) const {
        const std::uint64_t of = modulo_.divisor();
        return end / of * take_ + end % of * take_ / of;
    }

    /// The number of frame `sequence` among those of its own class, which is `of`.
    std::uint64_t number_in_class(Class of, std::uint64_t sequence) const {
        const std::uint64_t foreground = foreground_below(sequence);
        return of == Class::foreground ? foreground : sequence - foreground;
    }

  private:
    Modulo modulo_;
    std::uint32_t take_;
    std::vector<Class> pattern_;
};

}  // namespace xlatperf::flow
