// Flows that begin one after the other (RFC 8219 §10.2.2): how many have begun when a frame is due.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace xlatperf::flow {

/// The first flow begins with frame 0, each other one an interval after the one before.
class Beginnings {
  public:
    static constexpr std::uint32_t most_flows = 65536;

    /// `flows`: 1 to `most_flows`. `frames_each`: of a flow in an interval; that needn't be a whole number. It's positive.
    Beginnings(std::uint32_t flows, double frames_each) : flows_(flows), each_(frames_each) {}

    /// How many frames are due before flow `i`, from 0, begins; of the last one, a part.
    double before(std::uint32_t i) const { return each_ * 0.5 * i * (i + 1.0); }
    /// The number of the first frame behind that.
    std::uint64_t first(std::uint32_t i) const { return static_cast<std::uint64_t>(std::ceil(before(i) - tolerance)); }
    /// All flows have begun when this frame is due.
    std::uint64_t first_of_all() const { return first(flows_ - 1); }

    /// How many have begun when frame `sequence` is due.
    std::uint32_t begun(std::uint64_t sequence) const {
        const double root = std::sqrt(1 + 8 * (static_cast<double>(sequence) + tolerance) / each_);
        auto i = static_cast<std::uint32_t>(std::min((root - 1) / 2, flows_ - 1.0));
        while (i + 1 < flows_ && first(i + 1) <= sequence) ++i;
        while (i > 0 && first(i) > sequence) --i;
        return i + 1;
    }
    /// The same of each of `n` frames; none: not of each as many.
    std::optional<std::uint32_t> begun(const std::uint64_t* sequences, unsigned n) const {
        const std::uint32_t found = begun(sequences[0]);
        const std::uint64_t from = first(found - 1), end = found < flows_ ? first(found) : ~std::uint64_t{0};
        const bool same = std::all_of(sequences, sequences + n, [&](auto number) { return number >= from && number < end; });
        return same ? std::optional(found) : std::nullopt;
    }

  private:
    static constexpr double tolerance = 1e-6;  // of products that would be whole numbers

    std::uint32_t flows_;
    double each_;
};

}  // namespace xlatperf::flow
