// Where the fields of the headers are. Offsets in bytes from the start of each header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xlatperf::wire {

/// RFC 791 §3.1.
namespace ipv4 {
inline constexpr std::size_t version_ihl = 0, tos = 1, total_length = 2, identification = 4, flags_offset = 6, ttl = 8,
                             protocol = 9, checksum = 10, source = 12, destination = 16, size = 20;
inline constexpr std::uint16_t dont_fragment = 0x4000, more_fragments = 0x2000, offset_mask = 0x1fff;
}  // namespace ipv4

/// RFC 8200 §3.
namespace ipv6 {
inline constexpr std::size_t payload_length = 4, next_header = 6, hop_limit = 7, source = 8, destination = 24, size = 40;
inline constexpr std::size_t fragment_header_size = 8;
}  // namespace ipv6

/// RFC 768.
namespace udp {
inline constexpr std::size_t source_port = 0, destination_port = 2, length = 4, checksum = 6, size = 8;
}  // namespace udp

/// RFC 792, RFC 4443: both start alike.
namespace icmp {
inline constexpr std::size_t type = 0, code = 1, checksum = 2, rest = 4, size = 8;
}  // namespace icmp

/// RFC 826 for Ethernet and IPv4.
namespace arp {
inline constexpr std::size_t hardware = 0, protocol = 2, hardware_size = 4, protocol_size = 5, operation = 6, sender_mac = 8,
                             sender_address = 14, target_mac = 18, target_address = 24, size = 28;
inline constexpr std::uint16_t request = 1, reply = 2;
}  // namespace arp

/// IANA protocol numbers, the same for both families.
namespace protocol {
inline constexpr std::uint8_t hop_by_hop = 0, icmpv4 = 1, ipv4_in_ip = 4, tcp = 6, udp = 17, ipv6_in_ip = 41, routing = 43,
                              fragment = 44, icmpv6 = 58, no_next_header = 59, destination_options = 60;
}  // namespace protocol

}  // namespace xlatperf::wire
