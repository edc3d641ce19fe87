// RFC 7915 §5: from IPv6 to IPv4.
#include <algorithm>

#include "translate/siit.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

struct Ipv4Fields {
    std::uint8_t ttl = 0;
    std::size_t total_length = 0;
    std::uint16_t identification = 0;
    Ipv4Address source, destination;
};

/// §5.1 and, with a Fragment header, §5.1.1, row by row.
void write_ipv4_header(std::uint8_t* out, const Ipv6Packet& p, const Ipv4Fields& fields) {
    std::uint16_t flags_offset = fields.total_length <= always_fragmentable ? 0 : ipv4::dont_fragment;
    std::uint16_t identification = fields.identification;
    if (p.fragment) {
        identification = static_cast<std::uint16_t>(p.fragment->identification);  // its low 16 bits
        flags_offset = static_cast<std::uint16_t>((p.fragment->more ? ipv4::more_fragments : 0) | p.fragment->offset);  // DF: 0
    }
    out[ipv4::version_ihl] = 0x45;  // no options: the extension headers are left out
    out[ipv4::tos] = p.traffic_class;
    store16(out + ipv4::total_length, static_cast<std::uint16_t>(fields.total_length));
    store16(out + ipv4::identification, identification);
    store16(out + ipv4::flags_offset, flags_offset);
    out[ipv4::ttl] = fields.ttl;
    out[ipv4::protocol] = p.protocol == protocol::icmpv6 ? protocol::icmpv4 : p.protocol;
    store16(out + ipv4::checksum, 0);
    fields.source.store(out + ipv4::source);
    fields.destination.store(out + ipv4::destination);
    store_sum(out + ipv4::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(out, ipv4::size))));
}

/// §5.5 on the copied payload.
Fate update_transport(const Ipv6Packet& p, std::uint8_t* out) {
    if (p.fragment && p.fragment->offset != 0) return Fate::forwarded;
    const auto offset = checksum_offset(p.protocol, p.payload.size());
    if (!offset) return p.protocol == protocol::udp || p.protocol == protocol::tcp ? Fate::malformed : Fate::forwarded;
    std::uint8_t* field = out + ipv4::size + *offset;
    if (p.protocol == protocol::udp && load_sum(field) == 0) return Fate::udp_checksum_zero;  // RFC 8200 §8.1
    adjust_transport(field, p.protocol, sum_bytes(p.headers.data() + ipv6::source, 32), sum_bytes(out + ipv4::source, 8));
    return Fate::forwarded;
}

/// §5.1: packets of at most 1280 bytes are fragmented for a small IPv4 MTU, longer ones are refused.
Result fit(const Siit& siit, const Ipv6Packet& p, std::size_t size) {
    if (size <= siit.ipv4_mtu) return {Fate::forwarded, size, 0, 0};
    const std::size_t ipv6_size = ipv6::size + p.payload_length;
    if (ipv6_size <= 1280 || p.fragment) return {Fate::forwarded, size, siit.ipv4_mtu, 0};
    return drop(Fate::too_big, static_cast<std::uint32_t>(std::max<std::size_t>(1280, siit.ipv4_mtu + ipv6::size - ipv4::size)));
}

}  // namespace

Result translate_v6_to_v4(const Siit& siit, Bytes in, MutableBytes out, std::uint16_t identification) {
    const auto p = parse_ipv6_packet(in);
    if (!p || out.size() < in.size() + translation_room) return drop(Fate::malformed);
    const Result checked = check_v6_to_v4(*p);
    if (checked.fate != Fate::forwarded) return checked;
    const auto destination = siit.map.to_ipv4(p->destination);
    auto source = siit.map.to_ipv4(p->source);
    if (!destination) return drop(Fate::not_translatable_address);

    const bool is_icmp = p->protocol == protocol::icmpv6;
    if (is_icmp && p->is_fragment()) return drop(Fate::icmp_fragment);
    // An error of a router whose address has no IPv4 address comes from the translator's own (RFC 6791 §2).
    const bool is_error = is_icmp && !p->payload.empty() && p->payload[0] < 128;
    if (!source && is_error && siit.own_ipv4.value != 0) source = siit.own_ipv4;
    if (!source) return drop(Fate::not_translatable_address);
    return translate_v6_to_v4(siit, *p, {*source, *destination}, out, identification);
}

Result check_v6_to_v4(const Ipv6Packet& p) {
    if (p.hop_limit <= 1) return drop(Fate::hop_limit);
    if (p.segments_left_at) return drop(Fate::routing_header, static_cast<std::uint32_t>(*p.segments_left_at));
    if (p.extension_after_fragment) return drop(Fate::fragment_extension);
    return {Fate::forwarded, 0, 0, 0};
}

Result translate_v6_to_v4(const Siit& siit, const Ipv6Packet& p, const AddressPair<Ipv4Address>& to, MutableBytes out,
                          std::uint16_t identification) {
    const bool is_icmp = p.protocol == protocol::icmpv6;
    Ipv4Fields fields;
    fields.ttl = static_cast<std::uint8_t>(p.hop_limit - 1);
    fields.identification = identification;
    fields.source = to.source;
    fields.destination = to.destination;
    std::size_t payload_size = p.payload.size();
    if (is_icmp) {
        const Result message = icmp_v6_to_v4(siit, p, out.subspan(ipv4::size));
        if (message.fate != Fate::forwarded) return message;
        payload_size = message.size;
    } else {
        std::copy(p.payload.begin(), p.payload.end(), out.begin() + ipv4::size);
    }
    fields.total_length = ipv4::size + payload_size;
    if (fields.total_length > 0xffff) return drop(Fate::malformed);
    write_ipv4_header(out.data(), p, fields);
    if (!is_icmp) {
        const Fate fate = update_transport(p, out.data());
        if (fate != Fate::forwarded) return drop(fate);
    }
    return fit(siit, p, fields.total_length);
}

std::size_t translate_quoted_v6_to_v4(const Siit& siit, Bytes in, MutableBytes out) {
    const auto p = parse_ipv6_packet(in, Completeness::quoted);
    if (!p || out.size() < in.size() + translation_growth) return 0;
    const auto source = siit.map.to_ipv4(p->source), destination = siit.map.to_ipv4(p->destination);
    const std::size_t extensions = p->headers.size() - ipv6::size;
    const std::size_t total_length = ipv4::size + p->payload_length - extensions;
    if (!source || !destination || p->payload_length < extensions || total_length > 0xffff) return 0;
    write_ipv4_header(out.data(), *p, {p->hop_limit, total_length, 0, *source, *destination});
    std::copy(p->payload.begin(), p->payload.end(), out.begin() + ipv4::size);
    if (!p->fragment || p->fragment->offset == 0) {
        if (p->protocol == protocol::icmpv6) {
            // Only an echo may be quoted: an error isn't answered by an error (§5.2).
            if (p->payload.size() < icmp::rest || (p->payload[0] != 128 && p->payload[0] != 129)) return 0;
            translate_echo(
                out.data() + ipv4::size, p->payload[0] == 128 ? 8 : 0,
                sum_bytes(p->headers.data() + ipv6::source, 32) + pseudo_tail(p->payload_length - extensions, protocol::icmpv6),
                0);
        } else if (const auto offset = checksum_offset(p->protocol, p->payload.size())) {
            adjust_transport(out.data() + ipv4::size + *offset, p->protocol, sum_bytes(p->headers.data() + ipv6::source, 32),
                             sum_bytes(out.data() + ipv4::source, 8));
        }
    }
    return ipv4::size + p->payload.size();
}

}  // namespace xlatperf::reference
