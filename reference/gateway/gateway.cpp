#include "gateway/gateway.h"

#include <algorithm>

#include "gateway/neighbor_messages.h"
#include "link/link_layer.h"
#include "translate/forward.h"
#include "translate/fragment.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

Gateway::Gateway(GatewaySettings settings, FramePool& pool, Transmitter& transmitter)
    : settings_(std::move(settings)),
      pool_(pool),
      transmitter_(transmitter),
      neighbors_([this](const NeighborAddress& a) { ask(a); },
                 [this](const Departure& d) {
                     ++counters_[index(d.direction)].fates[static_cast<std::size_t>(Fate::no_neighbor)];
                     pool_.free(d.frame);
                     if (d.original) pool_.free(d.original);
                 }),
      impairments_{Impairments(pool, transmitter, settings_.held_limit), Impairments(pool, transmitter, settings_.held_limit)} {
    for (const Side side : {Side::left, Side::right}) {
        const GatewaySide& s = settings_.sides[index(side)];
        for (const auto& [prefix, via] : s.ipv4_routes) ipv4_routes_.add(prefix, {side, via});
        for (const auto& [prefix, via] : s.ipv6_routes) ipv6_routes_.add(prefix, {side, via});
        if (s.ipv4) ipv4_routes_.add(*s.ipv4, {side, {}});
        if (s.ipv6) ipv6_routes_.add(*s.ipv6, {side, {}});
        for (const StaticNeighbor& neighbor : s.neighbors) neighbors_.learn(neighbor.address, neighbor.mac);
    }
    if (settings_.technology) {
        settings_.technology->connect({{&settings_.sides[0], &settings_.sides[1]}, &ipv4_routes_, &ipv6_routes_});
        nat_ = settings_.technology->nat();
    }
    for (const Direction direction : {Direction::forward, Direction::reverse})
        impair(direction, settings_.plans[index(direction)]);
}

Gateway::~Gateway() { neighbors_.clear_waiting(); }

void Gateway::set_mac(Side side, const Mac& mac) {
    macs_[index(side)] = mac;
    link_local_[index(side)] = link_local_address(mac);
}

void Gateway::reset() {
    counters_ = {};
    side_counters_ = {};
    for (Impairments& impairments : impairments_) impairments.reset();
    if (!nat_) return;
    nat_->reset_counters();
    nat_->set_faults(impairments(Direction::forward).plan());
}

void Gateway::poll(std::uint64_t now_ns) {
    now_ns_ = now_ns;
    for (Impairments& impairments : impairments_) impairments.poll(now_ns);
    if (neighbors_.resolving()) neighbors_.poll(now_ns);
    if (nat_) nat_->poll(now_ns);
}

std::uint64_t Gateway::next_due() const { return std::min(impairments_[0].next_due(), impairments_[1].next_due()); }

void Gateway::receive(Side side, Frame frame, std::uint64_t now_ns) {
    now_ns_ = now_ns;
    ++side_counters_[index(side)].received;
    const bool is_frame = frame.size >= ethernet::size;
    const bool to_group = is_frame && (frame.data[0] & 1) != 0;
    if (!is_frame || (!to_group && !std::equal(macs_[index(side)].begin(), macs_[index(side)].end(), frame.data))) {
        count(side, is_frame ? Fate::not_for_us : Fate::malformed);
        return pool_.free(frame);
    }
    switch (load16(frame.data + ethernet::type)) {
        case ethernet::ipv4:
            return receive_ipv4(side, frame);
        case ethernet::ipv6:
            return receive_ipv6(side, frame);
        case ethernet::arp:
            receive_arp(side, frame);
            break;
        default:
            count(side, Fate::other_ethertype);
    }
    pool_.free(frame);
}

void Gateway::receive_ipv4(Side side, Frame frame) {
    ++counters_[index(direction_from(side))].received;
    const std::uint8_t* ip = frame.data + ethernet::size;
    if (frame.size < ethernet::size + ipv4::size) return refuse(side, frame, drop(Fate::malformed));
    const Ipv4Address destination = Ipv4Address::load(ip + ipv4::destination);
    const bool own = is_own(destination);
    if (receive_translated(side, frame, Family::ipv4, destination.value, own)) return;
    if (own) return answer_echo(side, frame);
    // RFC 1812 §5.3.4: what came as a link-layer broadcast isn't forwarded.
    if ((frame.data[0] & 1) != 0 || destination.value >> 28 >= 0xe) return refuse(side, frame, drop(Fate::multicast));
    forward(side, frame, Family::ipv4);
}

void Gateway::receive_ipv6(Side side, Frame frame) {
    const std::uint8_t* ip = frame.data + ethernet::size;
    if (frame.size < ethernet::size + ipv6::size) {
        ++counters_[index(direction_from(side))].received;
        return refuse(side, frame, drop(Fate::malformed));
    }
    const Ipv6Address destination = Ipv6Address::load(ip + ipv6::destination);
    const bool to_group = destination.value >> 120 == 0xff;
    const bool own = is_own(side, destination);
    if ((to_group || own) && receive_neighbor_message(side, frame)) return pool_.free(frame);
    ++counters_[index(direction_from(side))].received;
    const bool link_local = destination.value >> 118 == 0x3fa;  // fe80::/10 stays on its link (RFC 4291 §2.5.6)
    if (!to_group && !link_local && receive_translated(side, frame, Family::ipv6, destination.value, own)) return;
    if (own) return answer_echo(side, frame);
    if (to_group || link_local || (frame.data[0] & 1) != 0) return refuse(side, frame, drop(Fate::multicast));
    forward(side, frame, Family::ipv6);
}

bool Gateway::receive_translated(Side side, Frame frame, Family family, Bits128 destination, bool own) {
    const bool to_group = (frame.data[0] & 1) != 0 || (family == Family::ipv4 && destination >> 28 >= 0xe);
    if (!settings_.technology || to_group) return false;
    const Arrival arrival{side, family, frame.bytes().subspan(ethernet::size), destination, own, now_ns_};
    if (!settings_.technology->takes(arrival)) return false;
    translate(frame, arrival);
    return true;
}

std::optional<NeighborAddress> Gateway::next_hop(Bytes packet, Family family) const {
    if (family == Family::ipv4) {
        const Ipv4Address destination = Ipv4Address::load(packet.data() + ipv4::destination);
        const auto* hop = ipv4_routes_.find(destination);
        if (hop) return NeighborAddress::of(hop->side, hop->via.value_or(destination));
    } else {
        const Ipv6Address destination = Ipv6Address::load(packet.data() + ipv6::destination);
        const auto* hop = ipv6_routes_.find(destination);
        if (hop) return NeighborAddress::of(hop->side, hop->via.value_or(destination));
    }
    return {};
}

void Gateway::forward(Side side, Frame frame, Family family) {
    const MutableBytes packet = frame.bytes().subspan(ethernet::size);
    const auto hop = next_hop(packet, family);
    if (!hop) return refuse(side, frame, drop(Fate::no_route));
    const std::size_t mtu = settings_.sides[index(hop->side)].mtu;
    const Result result = reference::forward(packet, family, mtu, settings_.twice ? &*settings_.twice : nullptr);
    if (result.fate != Fate::forwarded) return refuse(side, frame, result);
    ++counters_[index(direction_from(side))].native;
    frame.size = static_cast<std::uint32_t>(ethernet::size + result.size);  // without padding
    send_out(side, frame, {}, result, *hop);
}

void Gateway::translate(Frame frame, const Arrival& arrival) {
    Frame out = pool_.allocate();
    if (!out) return refuse(arrival.side, frame, drop(Fate::no_buffers));
    const MutableBytes room(out.data + ethernet::size, out.room - ethernet::size);
    Result result = settings_.technology->translate(arrival, room);
    std::optional<NeighborAddress> hop;
    const Family family = result.fate == Fate::forwarded && room[0] >> 4 == 6 ? Family::ipv6 : Family::ipv4;
    if (result.fate == Fate::forwarded) {
        hop = next_hop(room.first(result.size), family);
        if (!hop) result = drop(Fate::no_route);
    }
    if (!hop) {
        pool_.free(out);
        return refuse(arrival.side, frame, result);
    }
    store16(out.data + ethernet::type, family == Family::ipv4 ? ethernet::ipv4 : ethernet::ipv6);
    out.size = static_cast<std::uint32_t>(ethernet::size + result.size);
    ++counters_[index(direction_from(arrival.side))].translated;
    send_out(arrival.side, out, frame, result, *hop);
}

void Gateway::send_out(Side arrival, Frame frame, Frame original, const Result& result, const NeighborAddress& hop) {
    count(arrival, Fate::forwarded);
    if (result.fragment_at == 0) return to_next_hop(arrival, frame, original, hop);
    ++counters_[index(direction_from(arrival))].fragmented;
    send_fragments(arrival, frame, result, hop);
    if (original) pool_.free(original);
    pool_.free(frame);
}

void Gateway::send_fragments(Side arrival, const Frame& frame, const Result& result, const NeighborAddress& hop) {
    const auto take = [&](Bytes headers, Bytes payload) {
        Frame fragment = pool_.allocate();
        const std::size_t size = ethernet::size + headers.size() + payload.size();
        if (!fragment || fragment.room < size) {
            if (fragment) pool_.free(fragment);
            count(arrival, Fate::no_buffers);
            return false;
        }
        std::copy_n(frame.data, ethernet::size, fragment.data);
        std::copy(headers.begin(), headers.end(), fragment.data + ethernet::size);
        std::copy(payload.begin(), payload.end(), fragment.data + ethernet::size + headers.size());
        fragment.size = static_cast<std::uint32_t>(size);
        to_next_hop(arrival, fragment, {}, hop);
        return true;
    };
    const Bytes packet = frame.bytes().subspan(ethernet::size);
    if (packet[0] >> 4 == 4)
        fragment_ipv4(packet, result.fragment_at, take);
    else
        fragment_ipv6(packet, result.fragment_at, result.identification ? *result.identification : ++ipv6_identification_, take);
}

void Gateway::to_next_hop(Side arrival, Frame frame, Frame original, const NeighborAddress& hop) {
    const Departure departure{direction_from(arrival), hop.side, frame, original};
    if (const Mac* mac = neighbors_.find(hop))
        depart(departure, *mac);
    else
        neighbors_.wait(hop, departure, now_ns_);
}

void Gateway::depart(const Departure& departure, const Mac& mac) {
    const Mac& own = macs_[index(departure.side)];
    write_link_addresses(departure.frame.data, mac.data(), own);
    if (departure.original) write_link_addresses(departure.original.data, mac.data(), own);
    impairments_[index(departure.direction)].offer(departure.side, departure.frame, departure.original, now_ns_);
}

void Gateway::impair(Direction direction, const Plan& plan) {
    impairments_[index(direction)].set(plan);
    if (nat_ && direction == Direction::forward) nat_->set_faults(plan);
}

std::uint32_t Gateway::clear_state(std::optional<std::uint32_t> entries) {
    if (!nat_) return 0;
    return entries ? nat_->clear(*entries) : nat_->clear();
}

void Gateway::refuse(Side side, Frame frame, const Result& result) {
    count(side, result.fate);
    send_error(side, frame, result);
    pool_.free(frame);
}

}  // namespace xlatperf::reference
