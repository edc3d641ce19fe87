// The tag of IEEE 802.1Q-2022 §9.6, four bytes between a frame's MAC addresses and its EtherType.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "wire/byte_order.h"
#include "wire/ethernet.h"

namespace xlatperf::wire {

namespace vlan {
inline constexpr std::size_t size = 4, control = 2;  // offset in the tag
inline constexpr std::uint16_t id_bits = 0x0fff;     // of the control information
inline constexpr unsigned priority_shift = 13;
}  // namespace vlan

/// What a frame is sent with; its drop eligible indicator is 0.
struct VlanTag {
    std::uint16_t id = 1;
    std::uint8_t priority = 0;  ///< code point, 0 to 7

    std::uint16_t control() const { return static_cast<std::uint16_t>(priority << vlan::priority_shift | id); }
};

/// What a received frame's tag must have; the drop eligible indicator may be either.
struct VlanRequired {
    std::uint16_t id = 1;
    std::optional<std::uint8_t> priority;  ///< none: any

    bool in_vlan(std::uint16_t control) const { return (control & vlan::id_bits) == id; }
    bool fits(std::uint16_t control) const {
        return in_vlan(control) && (!priority || control >> vlan::priority_shift == *priority);
    }
    /// The same, whatever the priority.
    VlanRequired of_any_priority() const { return {id, {}}; }
    /// One that fits.
    VlanTag tag() const { return {id, priority.value_or(0)}; }
};

/// As a frame has it.
inline std::array<std::uint8_t, vlan::size> tag_bytes(const VlanTag& tag) {
    std::array<std::uint8_t, vlan::size> bytes;
    store16(bytes.data(), ethernet::vlan_tag);
    store16(bytes.data() + vlan::control, tag.control());
    return bytes;
}

/// Whether a frame of `size` bytes has a whole tag.
inline bool has_tag(const std::uint8_t* at, std::size_t size) {
    return size >= ethernet::size + vlan::size && load16(at + ethernet::type) == ethernet::vlan_tag;
}
/// How many a frame has, one behind the other.
inline std::size_t tags(const std::uint8_t* at, std::size_t size) {
    std::size_t n = 0;
    while (has_tag(at + n * vlan::size, size - n * vlan::size)) ++n;
    return n;
}
/// Of a frame that has a tag.
inline std::uint16_t tag_control(const std::uint8_t* at) { return load16(at + ethernet::type + vlan::control); }

/// The frame then begins 4 bytes before `at`, where there is room.
inline void put_tag(std::uint8_t* at, const VlanTag& tag) {
    std::uint8_t macs[ethernet::type];
    std::memcpy(macs, at, sizeof macs);
    std::memcpy(at - vlan::size, macs, sizeof macs);
    const auto bytes = tag_bytes(tag);
    std::memcpy(at - vlan::size + ethernet::type, bytes.data(), bytes.size());
}

/// Of a frame that has one. It then begins 4 bytes behind `at`, and the tag is in front of it.
inline void take_tag(std::uint8_t* at) {
    std::uint8_t macs_and_tag[ethernet::type + vlan::size];
    std::memcpy(macs_and_tag, at, sizeof macs_and_tag);
    std::memcpy(at, macs_and_tag + ethernet::type, vlan::size);
    std::memcpy(at + vlan::size, macs_and_tag, ethernet::type);
}

}  // namespace xlatperf::wire
