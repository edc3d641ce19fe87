// Ethernet II frames as DPDK hands them over: without preamble and frame check sequence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlatperf::wire {

using Mac = std::array<std::uint8_t, 6>;

namespace ethernet {
inline constexpr std::size_t destination = 0, source = 6, type = 12, size = 14;
inline constexpr std::size_t check_sequence = 4;  // FCS: counts in a frame size (RFC 1242 §3.5), isn't in the buffer
inline constexpr std::uint16_t ipv4 = 0x0800, arp = 0x0806, ipv6 = 0x86dd, vlan_tag = 0x8100;  // IEEE 802.1Q
}  // namespace ethernet

/// "02:00:00:00:00:01"; nothing if `text` isn't a MAC address.
std::optional<Mac> parse_mac(std::string_view text);
std::string to_text(const Mac& mac);

}  // namespace xlatperf::wire
