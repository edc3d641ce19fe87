// Foreground (translated) and background (native IPv6) frames in one stream (RFC 8219 §5.3).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "flow/modulo.h"

namespace xlatperf::flow {

enum class Class : std::uint8_t { foreground, background };
inline constexpr std::size_t classes = 2;
inline constexpr std::array<Class, classes> both_classes = {Class::foreground, Class::background};
constexpr std::size_t index(Class of) { return static_cast<std::size_t>(of); }
constexpr std::string_view name(Class of) { return of == Class::foreground ? "foreground" : "background"; }

/// Bits 0 to `n` - 1, `n` being 1 to 64.
constexpr std::uint64_t first_bits(unsigned n) { return ~std::uint64_t{0} >> (64 - n); }

/// What 64 frames are, from some place in a mix on.
struct MixPattern {
    std::uint64_t background = 0;                                ///< bit i: the i-th is
    std::array<std::array<std::uint8_t, 64>, classes> places{};  ///< of the frames of each class, in order; 0 behind the last

    /// Which of the first `frames`, and how many, are of this class.
    std::uint64_t those(Class of, unsigned frames) const {
        return (of == Class::background ? background : ~background) & first_bits(frames);
    }
    unsigned count(Class of, unsigned frames) const { return static_cast<unsigned>(std::popcount(those(of, frames))); }
    /// The i-th, behind those before it.
    void add(unsigned i, Class of) {
        places[index(of)][i == 0 ? 0 : count(of, i)] = static_cast<std::uint8_t>(i);
        background |= std::uint64_t{of == Class::background} << i;
    }
};

/// `take` of `of` frames are foreground, spread evenly (Bresenham) rather than in runs.
class TrafficMix {
  public:
    TrafficMix(std::uint32_t take, std::uint32_t of) : modulo_(of), take_(take), patterns_(of) {
        for (std::uint64_t first = 0; first < of; ++first) {
            for (unsigned i = 0; i < 64; ++i) {
                const std::uint64_t number = (first + i) % of;
                const bool foreground = (number + 1) * take / of != number * take / of;
                patterns_[first].add(i, foreground ? Class::foreground : Class::background);
            }
        }
    }

    bool only_foreground() const { return take_ == modulo_.divisor(); }
    bool only_background() const { return take_ == 0; }
    /// Set if all frames are of one class.
    std::optional<Class> only_class() const {
        if (only_foreground()) return Class::foreground;
        if (only_background()) return Class::background;
        return {};
    }
    Class operator()(std::uint64_t sequence) const { return static_cast<Class>(pattern(sequence).background & 1); }
    /// Of the frames from number `first` on.
    const MixPattern& pattern(std::uint64_t first) const { return patterns_[modulo_(first)]; }

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
    std::vector<MixPattern> patterns_;  // from each place in the mix on
};

}  // namespace xlatperf::flow
