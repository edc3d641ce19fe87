#include "technologies/tunnel.h"

#include <algorithm>
#include <array>

#include "translate/forward.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

TunnelSettings read_tunnel(message::Fields& technology) {
    TunnelSettings tunnel;
    technology.read("hop_limit", tunnel.hop_limit, 1, 255, "of the outer header (RFC 2473 section 6.3)");
    technology.read("traffic_class", tunnel.traffic_class, 0, 255,
                    "of the outer header; null: the packet's own is carried over (RFC 2473 section 6.4)");
    technology.read("encapsulation_limit", tunnel.encapsulation_limit, 0, 255,
                    "writes that option (RFC 2473 section 5.1) behind the outer header");
    technology.read("entry_hops", tunnel.entry_hops, 0, 254, "how often the TTL is decremented in front of the tunnel");
    technology.read("exit_hops", tunnel.exit_hops, 0, 254, "and behind it");
    return tunnel;
}

std::optional<Ipv6Packet> parse_tunnel(Bytes packet) {
    auto found = parse_ipv6_packet(packet);
    if (found && found->protocol != protocol::ipv4_in_ip) found.reset();
    return found;
}

bool is_for_edge(const Arrival& arrival, const Surroundings& around, Ipv6Address own) {
    if (arrival.family == Family::ipv4)
        return !arrival.own && arrival.side == Side::left && around.side_of(arrival.destination, Family::ipv4) != Side::left;
    if (arrival.side != Side::right) return false;
    const auto outer = parse_tunnel(arrival.packet);
    return outer && outer->destination == own;
}

Result enter_tunnel(const TunnelSettings& settings, Bytes whole, const Ipv6Ends& ends, std::size_t mtu, MutableBytes out) {
    const auto packet = parse_ipv4_packet(whole);
    if (!packet) return drop(Fate::malformed);
    const std::size_t headers = ipv6::size + settings.extension();
    if (out.size() < headers + packet->total_length) return drop(Fate::no_buffers);
    std::copy_n(whole.begin(), packet->total_length, out.begin() + static_cast<std::ptrdiff_t>(headers));
    Result result = forward_ipv4(out.subspan(headers, packet->total_length), mtu - headers, settings.entry_hops);
    if (result.fate != Fate::forwarded) return result;
    const std::uint32_t traffic_class = settings.traffic_class.value_or(packet->tos);
    store32(out.data(), 0x60000000 | traffic_class << 20);
    store16(out.data() + ipv6::payload_length, static_cast<std::uint16_t>(result.size + settings.extension()));
    out[ipv6::next_header] = protocol::ipv4_in_ip;
    if (settings.encapsulation_limit) {  // RFC 2473 §4.1.1, padded by PadN
        out[ipv6::next_header] = protocol::destination_options;
        const std::array<std::uint8_t, 8> option = {protocol::ipv4_in_ip, 0, 4, 1, *settings.encapsulation_limit, 1, 1, 0};
        std::copy(option.begin(), option.end(), out.begin() + ipv6::size);
    }
    out[ipv6::hop_limit] = settings.hop_limit;
    ends.source.store(out.data() + ipv6::source);
    ends.destination.store(out.data() + ipv6::destination);
    result.size += headers;
    if (result.fragment_at != 0) result.fragment_at = mtu;  // RFC 2473 §7.2: the tunnel's packet is fragmented
    return result;
}

bool carry_congestion(std::uint8_t outer_traffic_class, MutableBytes packet) {
    constexpr std::uint8_t mask = 3, congestion_experienced = 3;
    if ((outer_traffic_class & mask) != congestion_experienced) return true;
    if ((packet[ipv4::tos] & mask) == 0) return false;
    std::uint8_t* field = packet.data() + ipv4::checksum;
    const std::uint16_t before = load_sum(packet.data());  // version, header length and TOS
    packet[ipv4::tos] |= congestion_experienced;
    store_sum(field, adjusted(load_sum(field), before, load_sum(packet.data())));
    return true;
}

Result leave_tunnel(const TunnelSettings& settings, std::uint8_t outer_traffic_class, Bytes whole, std::size_t mtu,
                    MutableBytes out) {
    const auto packet = parse_ipv4_packet(whole);
    if (!packet) return drop(Fate::malformed);
    if (out.size() < packet->total_length) return drop(Fate::no_buffers);
    std::copy_n(whole.begin(), packet->total_length, out.begin());
    Result result = forward_ipv4(out.first(packet->total_length), mtu, settings.exit_hops);
    result.silent = true;
    if (result.fate == Fate::forwarded && !carry_congestion(outer_traffic_class, out)) return drop(Fate::not_ecn_capable);
    return result;
}

}  // namespace xlatperf::reference
