// A burst of frames of one class and size, built and checked stage by stage over arrays: numbers, flows, addresses, sums, bytes.
// What isn't right is for the Classifier, which looks at one frame after the other.
#pragma once

#include <array>
#include <cstdint>

#include "flow/burst_flows.h"
#include "frame/address_burst.h"
#include "frame/comparison.h"
#include "frame/stream.h"
#include "wire/byte_order.h"

namespace xlatperf::frame {

/// What differs from header to header in a burst, besides the probe.
struct HeaderBurst {
    flow::FlowBurst flows;
    AddressBurst::Words addresses;
    alignas(64) OfBurst<std::uint64_t> udp;            ///< the whole header
    alignas(64) OfBurst<std::uint64_t> ipv4_checksum;  ///< as in memory, if addresses differ
};

/// Where frames of a burst go, as it was learnt. Over IPv4 all is in the first word: the address as in memory, above it the port
/// as a number; other bits may be set. Over IPv6 the address is in the first two, the port in the third.
struct LearntEnds {
    alignas(64) std::array<OfBurst<std::uint64_t>, 3> words;
};

/// What UDP headers have beside ports, as in memory: the length, and which bits of the checksum.
struct UdpRest {
    std::uint64_t length, checksum_mask;
};

/// What follows from the numbers of a burst's frames, on one link.
class BurstHeaders {
  public:
    /// Image and flows outlive it. The DUT chooses the source or the destination, or else it is as the image says.
    BurstHeaders(const Image& image, const flow::Enumeration& flows, bool any_source, bool any_destination);

    /// Flows and addresses. `sequences` can be read up to `whole_vectors(n)`.
    void draw(const std::uint64_t* sequences, unsigned n, HeaderBurst& found) const;
    /// The same of frames of these connections, which can be read as far.
    void draw_connected(const OfBurst<std::uint64_t>& connections, unsigned n, HeaderBurst& found) const;
    /// The rest, which follows from these.
    void finish(unsigned n, HeaderBurst& found) const;

    const Image& image() const { return *image_; }
    const flow::BurstFlows& flows() const { return flows_; }
    const AddressBurst& addresses() const { return addresses_; }

  private:
    const Image* image_;
    flow::BurstFlows flows_;
    AddressBurst addresses_;
    std::uint64_t sum_;  // of the UDP header: what all frames add to its checksum
    UdpRest rest_;
};

/// Writes frames of one class and size of a stream, which outlives it. Their numbers can be read up to `whole_vectors(n)`.
class BurstWriter {
  public:
    BurstWriter(const Stream& stream, Class of, unsigned size = 0);

    void draw(const std::uint64_t* sequences, unsigned n, HeaderBurst& headers) const { headers_.draw(sequences, n, headers); }

    /// In two steps, of a stream that has connections: the connections of these frames,
    void connections(const std::uint64_t* sequences, unsigned n, OfBurst<std::uint64_t>& found) const {
        headers_.flows().connections(sequences, n, found.data());
    }
    /// and what follows from them.
    void draw_connected(const OfBurst<std::uint64_t>& connections, unsigned n, HeaderBurst& headers) const {
        headers_.draw_connected(connections, n, headers);
    }

    /// Of streams with a learnt destination: where frame i goes, after `draw`. Without it, it's the pool's first address.
    void send_to(HeaderBurst& headers, unsigned i, const std::uint8_t* address, std::uint16_t port) const;
    /// The same of all.
    void send_to(HeaderBurst& headers, const LearntEnds& ends, unsigned n) const;

    /// Makes checksums of what was drawn: the last thing that takes time.
    void finish(unsigned n, HeaderBurst& headers) const { headers_.finish(n, headers); }

    /// Writes what is finished, each into the frame whose probe is at `probes[i]`. What follows `Image::head` is there already.
    void write(const HeaderBurst& headers, const std::uint64_t* sequences, unsigned n, std::uint64_t ticks,
               std::uint8_t* const* probes) const;

  private:
    BurstHeaders headers_;
};

/// What a look at a burst found. Bit i is of frame i.
struct SeenBurst {
    std::uint64_t right = 0, df_differs = 0, background = 0;  ///< of which class a frame is follows from its number
    bool consecutive = false;                                 ///< the numbers of all are
    alignas(64) OfBurst<std::uint64_t> sequence, stamp48;     ///< of all, but they mean something only in frames that are right
    alignas(64) OfBurst<std::uint64_t> connection;            ///< the same, where flows have connections

    Class class_of(unsigned i) const { return static_cast<Class>(background >> i & 1); }
};

/// Words of each frame as it arrived.
struct SeenWords {
    alignas(64) OfBurst<std::uint64_t> udp, number, tail;
    alignas(64) OfBurst<std::uint64_t> ipv4;       ///< from the identification to the checksum
    alignas(64) OfBurst<std::uint64_t> addresses;  ///< of IPv4, where the DUT chooses the source
};

/// A burst that arrived: `size[i]` bytes at `at[i]`, where there are at least `Image::readable`.
struct ArrivedFrames {
    const std::uint8_t* const* at;
    const std::uint16_t* size;
    unsigned n;
};

/// ArrivedFrames that are being looked at.
struct Looking : ArrivedFrames {
    explicit Looking(const ArrivedFrames& frames) : ArrivedFrames(frames) {}

    SeenWords words;
    HeaderBurst headers;
    std::uint64_t any = 0;  ///< not zero: something isn't right
};

/// Checks frames of one class and size of a stream, which outlives it.
class BurstVerifier {
  public:
    BurstVerifier(const Stream& stream, Class of, unsigned size = 0);

    /// Looks at frames in two steps: after the first `seen.connection` is known, so that what belongs to it can come from memory.
    void begin(Looking& looking, SeenBurst& seen) const;
    void finish(Looking& looking, SeenBurst& seen) const;

    bool has_connections() const { return has_connections_; }

    /// The source in a frame that is right.
    const std::uint8_t* source_address(const std::uint8_t* at) const { return at + headers_.image().source_offset(); }
    std::uint16_t source_port(const std::uint8_t* at) const { return wire::load16(at + headers_.image().udp()); }

  private:
    void take_sources(Looking& looking) const;

    bool any_source_, has_connections_;
    BurstHeaders headers_;
    Comparison comparison_;
    std::uint64_t frames_;
    std::uint64_t ipv4_sum_ = 0, ipv4_word_ = 0;  // of the header: what all frames have before and behind this word, and the word
};

}  // namespace xlatperf::frame
