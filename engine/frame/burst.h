// A burst of frames, built and checked stage by stage over arrays: numbers, flows, sums, bytes. For streams of one class whose
// flows are drawn all at once, between addresses that are listed. `Image` and `Verifier` do the same frame by frame, for all.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "flow/burst.h"
#include "frame/comparison.h"
#include "frame/stream.h"

namespace xlatperf::frame {

inline constexpr unsigned most_in_burst = flow::most_in_burst;
template <typename T> using OfBurst = std::array<T, most_in_burst>;

/// The class whose bursts can be built and checked at once; empty if frames have to be one by one. `image`: as they are on the
/// link.
std::optional<Class> class_of_bursts(const Stream& stream, const std::array<std::optional<Image>, flow::classes>& images);

/// What follows from the numbers of a burst's frames, on one link.
class BurstHeaders {
  public:
    BurstHeaders(const Image& image, const flow::Enumeration& flows);

    /// The flows, and the UDP header of each frame as one word. `sequences` can be read up to `whole_vectors(n)`.
    void follow(const std::uint64_t* sequences, unsigned n, flow::FlowBurst& flows, OfBurst<std::uint64_t>& udp) const;

    const Image& image() const { return *image_; }

  private:
    const Image* image_;
    flow::Drawing drawing_;
    std::uint64_t sum_, length_;  // of the UDP header: what all frames add to its checksum, and its length field
};

/// Writes frames of a stream that satisfies `class_of_bursts`. The stream outlives it.
class BurstWriter {
  public:
    BurstWriter(const Stream& stream, Class of);

    /// Writes frames `first` to `first` + `n` - 1, to `at[i]` each. What follows `Image::head` is there already.
    void write(std::uint64_t first, unsigned n, std::uint64_t ticks, std::uint8_t* const* at) const;

  private:
    BurstHeaders headers_;
};

/// What a look at a burst found. Bit i is of frame i.
struct SeenBurst {
    std::uint64_t right = 0, df_differs = 0;
    bool consecutive = false;                              ///< the numbers of all are
    alignas(64) OfBurst<std::uint64_t> sequence, stamp48;  ///< of all, but they mean something only in frames that are right
};

/// Checks frames of a stream that satisfies `class_of_bursts`. The stream outlives it.
class BurstVerifier {
  public:
    BurstVerifier(const Stream& stream, Class of);

    /// Looks at frames, `size[i]` bytes at `at[i]`, where there are at least `Image::readable`.
    void look(const std::uint8_t* const* at, const std::uint16_t* size, unsigned n, SeenBurst& seen) const;

  private:
    BurstHeaders headers_;
    Comparison comparison_;
    std::uint64_t frames_;
};

}  // namespace xlatperf::frame
