#include "frame/additions.h"

#include <string_view>
#include <vector>

#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

std::string_view name_of(std::uint8_t extension_header) {
    switch (extension_header) {
        case wire::protocol::hop_by_hop:
            return "a hop-by-hop options header";
        case wire::protocol::routing:
            return "a routing header";
        case wire::protocol::fragment:
            return "the fragment header of a whole packet (RFC 6946)";
        default:
            return "a destination options header";
    }
}

// `packet` was parsed from these bytes, so all of its headers are there.
void name_headers(const std::uint8_t* at, const Packet& packet, std::string_view of, std::vector<std::string>& named) {
    if (!packet.extension_headers) return;
    if (packet.family == wire::Family::ipv4) {
        named.push_back("IPv4 options" + std::string(of));
        return;
    }
    std::uint8_t next = at[packet.ip + wire::ipv6::next_header];
    for (std::size_t header = packet.ip + wire::ipv6::size; header < packet.transport;) {
        named.push_back(std::string(name_of(next)) + std::string(of));
        const bool fragment = next == wire::protocol::fragment;
        next = at[header];
        header += fragment ? wire::ipv6::fragment_header_size : 8U * (1U + at[header + 1]);
    }
}

}  // namespace

std::string additions(const std::uint8_t* at, std::size_t size, const Nested& packets) {
    std::vector<std::string> named;
    if (packets.outer) name_headers(at, *packets.outer, " of the tunnel", named);
    name_headers(at, packets.packet, packets.outer ? " in the tunnel" : "", named);
    const Packet& outermost = packets.outer ? *packets.outer : packets.packet;
    const auto padding = [&](std::size_t octets, std::string_view behind) {
        if (octets > 0) named.push_back(std::to_string(octets) + " bytes of padding behind the " + std::string(behind));
    };
    if (packets.outer) padding(outermost.end - packets.packet.end, "packet in the tunnel");
    padding(size - outermost.end, "packet");
    std::string text;
    for (std::size_t i = 0; i < named.size(); ++i) text += (i == 0 ? ", with " : " and ") + named[i];
    return text;
}

}  // namespace xlatperf::frame
