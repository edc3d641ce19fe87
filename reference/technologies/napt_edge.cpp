#include "technologies/napt_edge.h"

#include "nat/rewrite.h"
#include "technologies/stateful.h"

namespace xlatperf::reference {

using namespace wire;

/// RFC 7599 §8.1, RFC 7597 §8, RFC 7596 §5: NAPT44 first.
Result NaptEdge::outbound(const Arrival& arrival, MutableBytes out) {
    const Datagram read = read_datagram(arrival.packet, Family::ipv4);
    if (read.problem != Fate::forwarded) return drop(read.problem);
    const auto& [source, destination, udp_at] = read.connection;
    const Mapped mapped = nat_.outbound(source, destination, arrival.now_ns);
    if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
    translated_.assign(arrival.packet.begin(), arrival.packet.end());
    rewrite(translated_, translated_.data() + udp_at, End::source, mapped.endpoint);
    Arrival behind = arrival;
    behind.packet = translated_;
    return edge_->translate(behind, out);
}

/// RFC 7599 §8.2: with its checks, then NAPT44.
Result NaptEdge::inbound(const Arrival& arrival, MutableBytes out) {
    const Result result = edge_->translate(arrival, out);
    if (result.fate != Fate::forwarded) return result;
    const MutableBytes packet = out.first(result.size);
    const Datagram read = read_datagram(packet, Family::ipv4);
    if (read.problem != Fate::forwarded) return drop(read.problem);
    const auto& [source, destination, udp_at] = read.connection;
    const Mapped mapped = nat_.inbound(destination, source, arrival.now_ns);
    if (mapped.fate != Fate::forwarded) return drop(mapped.fate);
    if (around().side_of(mapped.endpoint.address, Family::ipv4) != Side::left) return drop(Fate::no_route);
    rewrite(packet, packet.data() + udp_at, End::destination, mapped.endpoint);
    return result;
}

}  // namespace xlatperf::reference
