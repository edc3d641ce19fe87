#include "translate/forward.h"

#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

Result forward_ipv4(MutableBytes packet, std::size_t next_hop_mtu, std::uint8_t hops) {
    const auto p = parse_ipv4_packet(packet);
    if (!p) return drop(Fate::malformed);
    if (!ipv4_header_checksum_ok(p->header)) return drop(Fate::ipv4_checksum);
    if (p->ttl <= hops) return drop(Fate::hop_limit);  // RFC 1812 §5.3.1
    if (p->total_length > next_hop_mtu && p->dont_fragment)
        return drop(Fate::too_big, static_cast<std::uint32_t>(next_hop_mtu));  // RFC 1191 §4
    std::uint8_t* field = packet.data() + ipv4::checksum;
    const std::uint16_t before = load_sum(packet.data() + ipv4::ttl);
    packet[ipv4::ttl] = static_cast<std::uint8_t>(p->ttl - hops);
    store_sum(field, adjusted(load_sum(field), before, load_sum(packet.data() + ipv4::ttl)));
    return {Fate::forwarded, p->total_length, p->total_length > next_hop_mtu ? next_hop_mtu : 0, 0};
}

Result forward_ipv6(MutableBytes packet, std::size_t next_hop_mtu) {
    if (packet.size() < ipv6::size || packet[0] >> 4 != 6) return drop(Fate::malformed);
    const std::size_t size = ipv6::size + load16(packet.data() + ipv6::payload_length);
    if (size > packet.size()) return drop(Fate::malformed);
    if (packet[ipv6::hop_limit] <= 1) return drop(Fate::hop_limit);  // RFC 4443 §3.3
    if (size > next_hop_mtu) return drop(Fate::too_big, static_cast<std::uint32_t>(next_hop_mtu));
    --packet[ipv6::hop_limit];
    return {Fate::forwarded, size, 0, 0};
}

namespace {

Fate checksum_of_udp(MutableBytes packet, bool compute) {
    const auto p = parse_ipv4_packet(packet);
    if (p->protocol != protocol::udp || p->fragment_offset != 0 || p->payload.size() < udp::size) return Fate::forwarded;
    std::uint8_t* header = packet.data() + p->header.size();
    if (load_sum(header + udp::checksum) != 0) return Fate::forwarded;
    return without_udp_checksum(header, p->payload.size(), sum_bytes(packet.data() + ipv4::source, 8), compute,
                                p->more_fragments);
}

}  // namespace

Result forward(MutableBytes packet, Family family, std::size_t next_hop_mtu, TranslatedTwice* twice) {
    if (family == Family::ipv6) return forward_ipv6(packet, next_hop_mtu);
    const Result result = forward_ipv4(packet, next_hop_mtu);
    if (!twice || result.fate != Fate::forwarded) return result;
    if (const Fate fate = checksum_of_udp(packet, twice->compute_udp_checksum_zero); fate != Fate::forwarded) return drop(fate);
    if (result.fragment_at == 0) remake_ipv4_header(packet, twice->identification++);
    return result;
}

void remake_ipv4_header(MutableBytes packet, std::uint16_t identification) {
    std::uint8_t* at = packet.data();
    const std::uint16_t flags = load16(at + ipv4::flags_offset);
    if ((flags & (ipv4::more_fragments | ipv4::offset_mask)) != 0) return;
    store16(at + ipv4::identification, identification);
    store16(at + ipv4::flags_offset, load16(at + ipv4::total_length) > always_fragmentable ? ipv4::dont_fragment : 0);
    store16(at + ipv4::checksum, 0);
    store_sum(at + ipv4::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(at, 4UL * (at[ipv4::version_ihl] & 15U)))));
}

}  // namespace xlatperf::reference
