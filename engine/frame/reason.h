// Why a received frame isn't what was expected. Each reason has its own counter, and every frame has exactly one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xlatperf::frame {

/// Of frames that belong to the trial: their number is known, or at least their class.
enum class Reason : std::uint8_t {
    expected,
    duplicate,      ///< the number has arrived before
    late,           ///< it took longer than the frame timeout
    after_wait,     ///< it came when the wait for the trial's frames was over
    beyond_window,  ///< so late that its number isn't remembered any more
    wrong_length,
    wrong_mac,  ///< right, but to somebody else's MAC address
    wrong_address,
    wrong_port,
    hop_limit,      ///< not decremented as often as the DUT has hops
    traffic_class,  ///< RFC 7915 §4.1, §5.1: copied
    ip_header,      ///< any other field of the IP header
    ip_checksum,    ///< of the IPv4 header
    udp_checksum,   ///< wrong though everything that it covers is right
    payload,        ///< the UDP data were changed
    fragment,
    untranslated,     ///< the frame came through as it was sent
    outside_pool,     ///< its source is none of those that a stateful gateway was said to use
    mapping_changed,  ///< its source isn't the one that its connection had before (RFC 4787 §4.1, RFC 6146 §3.5.1)
};
inline constexpr std::size_t reasons = static_cast<std::size_t>(Reason::mapping_changed) + 1;
inline constexpr std::array<std::string_view, reasons> reason_names = {
    "expected",      "duplicate",  "late",         "after_wait",    "beyond_window",  "wrong_length", "wrong_mac",
    "wrong_address", "wrong_port", "hop_limit",    "traffic_class", "ip_header",      "ip_checksum",  "udp_checksum",
    "payload",       "fragment",   "untranslated", "outside_pool",  "mapping_changed"};

/// Of frames that don't: they count for the side where they arrived.
enum class Stray : std::uint8_t {
    arp_nd,      ///< ARP, Neighbor and Router Discovery, multicast listener reports
    icmp_error,  ///< counted by type and code
    stale,       ///< of an earlier trial
    returned,    ///< the Tester's own frame, back on the side that sent it
    foreign,     ///< somebody else's
    malformed,   ///< headers that contradict themselves
};
inline constexpr std::size_t strays = static_cast<std::size_t>(Stray::malformed) + 1;
inline constexpr std::array<std::string_view, strays> stray_names = {"arp_nd",   "icmp_error", "stale",
                                                                     "returned", "foreign",    "malformed"};

constexpr std::size_t index(Reason reason) { return static_cast<std::size_t>(reason); }
constexpr std::size_t index(Stray stray) { return static_cast<std::size_t>(stray); }
constexpr std::string_view name(Reason reason) { return reason_names[index(reason)]; }
constexpr std::string_view name(Stray stray) { return stray_names[index(stray)]; }

}  // namespace xlatperf::frame
