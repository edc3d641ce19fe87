// What is wrong with a frame that isn't as expected. Slow and careful; called for such frames only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "counter/counters.h"
#include "frame/deviation.h"
#include "frame/packet.h"
#include "frame/stream.h"

namespace xlatperf::frame {

using counter::Remark;
using counter::Stray;

/// An ICMP or ICMPv6 error message and who sent it (RFC 792, RFC 4443).
struct IcmpError {
    wire::Family family;
    std::uint8_t type, code;
    wire::Address from;
};

/// Hop limit or TTL as a frame arrived with it; `outer`: of the tunnel's header, where it came in one.
struct HopLimits {
    std::uint8_t inner = 0;
    std::optional<std::uint8_t> outer;
};

/// What a received frame turned out to be: exactly one of `reason` and `stray` is set.
struct Finding {
    std::optional<Reason> reason;
    std::optional<Stray> stray;
    std::optional<std::uint64_t> sequence;  ///< the frame's number, where it can be trusted
    Class of = Class::foreground;           ///< of frames with a reason
    std::uint64_t stamp48 = 0;
    counter::Some<Remark> remarks;  ///< of frames that are as expected
    std::optional<IcmpError> icmp_error;
    std::optional<HopLimits> hop_limits;  ///< where they aren't as they must be
    bool other_tag = false;               ///< its VLAN tag isn't the link's, and is where it was
    std::string text;                     ///< one line: what was seen and what was expected
};

class Classifier {
  public:
    explicit Classifier(const Stream& stream) : stream_(stream) {}

    /// `at` has `size` bytes.
    Finding classify(const std::uint8_t* at, std::size_t size) const;

    /// The bytes that frame `sequence` should have had on arrival. Where the source is the DUT's choice: for the source that is
    /// seen in `packet` at `at`, if it is in the pool.
    std::vector<std::uint8_t> expected_bytes(std::uint64_t sequence, std::uint64_t stamp48, const std::uint8_t* at = nullptr,
                                             const Packet* packet = nullptr) const;

  private:
    Finding classify_udp(const std::uint8_t* at, std::size_t size, const Nested& frame) const;
    Finding without_number(const Packet& packet) const;
    bool any_source_of(const Packet& packet, Class of) const {
        return stream_.any_source && of == Class::foreground && packet.first_fragment;
    }
    bool addressed_like_a_test_frame(const Packet& packet) const;
    bool from_pool(const wire::Address& source) const;
    void compare(const Dissected& seen, Finding& finding) const;

    const Stream& stream_;
};

/// The stray that a frame is when it belongs to no stream at all. With `mark`, this Tester's own frames are told from
/// others'.
Finding classify_stray(const std::uint8_t* at, std::size_t size, std::optional<probe::Mark> mark = {});

}  // namespace xlatperf::frame
