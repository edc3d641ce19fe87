// The probe: the first 18 bytes of UDP data in every test frame, all that fits into the smallest one (64-byte IPv4 frame,
// 84-byte IPv6 frame; RFC 8219 §5.1.1). Little endian:
//
//   0      4          10      12          18
//   | tag  | number   | guard | stamp     |
//
// tag: magic, whose frame it is, direction and trial number. number: 40 bits of sequence, two hours at 150 Mfps, and the 8 bits
// of its seal (frame/seal.h). stamp: low 48 bits of the sender's clock in ticks, 26 h at 3 GHz. guard makes the probe's words sum
// to 0xffff: it shows whether the probe is intact, and it keeps the UDP checksum independent of number and stamp, so that a frame
// can be stamped again before it leaves.
#pragma once

#include <cstdint>
#include <cstring>

#include "flow/direction.h"
#include "wire/checksum.h"

namespace xlatperf::frame::probe {

inline constexpr std::size_t tag = 0, number = 4, guard = 10, stamp = 12, size = 18;
inline constexpr std::uint64_t low48 = 0xffffffffffffULL, low40 = 0xffffffffffULL;
inline constexpr std::uint64_t most_frames = low40;  ///< of a trial, in each direction
inline constexpr std::uint32_t most_trial_number = 0x7ff, most_session = 0xfff;

/// Whose frame it is: of the Tester that has drawn this number when it started, and of which of its trials.
struct Mark {
    std::uint32_t session = 0, trial = 0;
};

/// What the probe contributes to a checksum: it sums to 0xffff, which is zero in ones' complement.
inline constexpr std::uint64_t sum = 0xffff;

inline constexpr std::uint32_t magic = 0x58;  // the UDP data begins with "X"

/// The tag of all frames of a trial in one direction.
constexpr std::uint32_t make_tag(flow::Direction direction, Mark mark) {
    return magic | (mark.session << 8) | (static_cast<std::uint32_t>(flow::index(direction)) << 20) | (mark.trial << 21);
}
constexpr bool has_magic(std::uint32_t tag_value) { return (tag_value & 0xff) == magic; }
constexpr std::uint32_t session_of(std::uint32_t tag_value) { return (tag_value >> 8) & most_session; }
constexpr flow::Direction direction_of(std::uint32_t tag_value) { return static_cast<flow::Direction>((tag_value >> 20) & 1); }
constexpr std::uint32_t trial_of(std::uint32_t tag_value) { return tag_value >> 21; }

inline std::uint32_t load_tag(const std::uint8_t* at) {
    std::uint32_t value;
    std::memcpy(&value, at + tag, 4);
    return value;
}
/// The sequence with its seal.
inline std::uint64_t load_number(const std::uint8_t* at) {
    std::uint64_t value;
    std::memcpy(&value, at + number, 8);
    return value & low48;
}
inline std::uint64_t load_sequence(const std::uint8_t* at) { return load_number(at) & low40; }
inline std::uint64_t load_stamp(const std::uint8_t* at) {
    std::uint64_t value;
    std::memcpy(&value, at + guard, 8);
    return value >> 16;
}
constexpr std::uint64_t words(std::uint64_t value) { return (value & 0xffffffff) + (value >> 32); }

constexpr std::uint64_t guard_of(std::uint32_t tag_value, std::uint64_t number_value, std::uint64_t stamp48) {
    return wire::folded(tag_value + words(number_value) + words(stamp48)) ^ 0xffff;
}

inline void store(std::uint8_t* at, std::uint32_t tag_value, std::uint64_t number_value, std::uint64_t ticks) {
    const std::uint64_t stamp_value = ticks & low48;
    const std::uint64_t tail = (stamp_value << 16) | guard_of(tag_value, number_value, stamp_value);
    std::memcpy(at + tag, &tag_value, 4);
    std::memcpy(at + number, &number_value, 8);  // the upper two bytes are overwritten by the guard
    std::memcpy(at + guard, &tail, 8);
}
/// Stamps a probe again, when its frame leaves.
inline void restamp(std::uint8_t* at, std::uint64_t ticks) { store(at, load_tag(at), load_number(at), ticks); }

inline bool intact(const std::uint8_t* at) { return wire::fold(wire::sum_bytes(at, size)) == 0xffff; }

/// Ticks from `stamp48` to `now`, negative if the clock went backwards; right for differences below 2^47 ticks.
constexpr std::int64_t ticks_since(std::uint64_t stamp48, std::uint64_t now) {
    return static_cast<std::int64_t>((now - stamp48) << 16) >> 16;
}

}  // namespace xlatperf::frame::probe
