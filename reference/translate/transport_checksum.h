// Checksums of TCP and UDP when addresses change (RFC 7915 §4.5, §5.5). They're adjusted (RFC 1624), not computed anew:
// a packet that arrived damaged leaves damaged.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "translate/fate.h"
#include "translate/packet.h"
#include "wire/byte_order.h"
#include "wire/checksum.h"
#include "wire/headers.h"

namespace xlatperf::reference {

inline constexpr std::size_t tcp_checksum_offset = 16, tcp_header_size = 20;  // RFC 9293 §3.1

inline std::uint16_t load_sum(const std::uint8_t* at) {
    std::uint16_t word;
    std::memcpy(&word, at, 2);
    return word;
}
inline void store_sum(std::uint8_t* at, std::uint16_t word) { std::memcpy(at, &word, 2); }

/// RFC 1624 equation 3: `removed` and `added` are sums of words in memory order, not folded.
inline std::uint16_t adjusted(std::uint16_t field, std::uint64_t removed, std::uint64_t added) {
    const std::uint64_t kept = static_cast<std::uint16_t>(~field);
    const std::uint64_t without = static_cast<std::uint16_t>(~wire::fold(removed));
    return static_cast<std::uint16_t>(~wire::fold(kept + without + wire::fold(added)));
}

/// The part of the pseudo-header behind the addresses: length and protocol (RFC 768, RFC 8200 §8.1).
inline std::uint64_t pseudo_tail(std::size_t length, std::uint8_t protocol) {
    return std::uint64_t{wire::network16(static_cast<std::uint16_t>(length >> 16))} +
           wire::network16(static_cast<std::uint16_t>(length)) + wire::network16(protocol);
}

/// Where the checksum of TCP or UDP is in `payload`; nothing for other protocols or if it isn't there.
inline std::optional<std::size_t> checksum_offset(std::uint8_t protocol, std::size_t available) {
    std::size_t offset;
    if (protocol == wire::protocol::udp)
        offset = wire::udp::checksum;
    else if (protocol == wire::protocol::tcp)
        offset = tcp_checksum_offset;
    else
        return {};
    if (available < offset + 2) return {};
    return offset;
}

/// RFC 7915 §4.5 on a UDP header that has no checksum: computes it, or drops the packet. `addresses`: their sum, of the
/// packet that leaves; `available`: bytes from the header on. A first fragment doesn't show all that the checksum covers.
inline Fate without_udp_checksum(std::uint8_t* header, std::size_t available, std::uint64_t addresses, bool compute,
                                 bool more_fragments) {
    if (!compute || more_fragments) return Fate::udp_checksum_zero;
    const std::size_t size = wire::load16(header + wire::udp::length);
    if (size < wire::udp::size || size > available) return Fate::malformed;
    const std::uint64_t sum = addresses + pseudo_tail(size, wire::protocol::udp);
    store_sum(header + wire::udp::checksum, wire::udp_checksum_field(sum + wire::sum_bytes(header, size)));
    return Fate::forwarded;
}

/// Adjusts a checksum field in place for addresses whose sums are `removed` and `added`.
inline void adjust_transport(std::uint8_t* field, std::uint8_t protocol, std::uint64_t removed, std::uint64_t added) {
    std::uint16_t value = adjusted(load_sum(field), removed, added);
    if (protocol == wire::protocol::udp && value == 0) value = 0xffff;  // RFC 768: zero means that there is none
    store_sum(field, value);
}

/// An echo whose checksum gains or loses the pseudo-header (RFC 4443 §2.3) and whose type changes (RFC 7915 §4.2, §5.2).
inline void translate_echo(std::uint8_t* message, std::uint8_t type, std::uint64_t pseudo_removed, std::uint64_t pseudo_added) {
    const std::uint16_t before = load_sum(message);  // type and code
    message[wire::icmp::type] = type;
    std::uint8_t* field = message + wire::icmp::checksum;
    store_sum(field, adjusted(load_sum(field), pseudo_removed + before, pseudo_added + load_sum(message)));
}

}  // namespace xlatperf::reference
