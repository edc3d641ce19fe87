#include "frame/deviation.h"

#include "frame/additions.h"
#include "frame/ruled_fields.h"
#include "frame/text.h"
#include "wire/ethernet.h"

namespace xlatperf::frame {

namespace {

using Found = std::optional<Deviation>;

std::string by(std::string_view section) { return section.empty() ? "" : " (" + std::string(section) + ")"; }

Deviation differ(Reason reason, std::string_view what, const std::string& seen, const std::string& wanted,
                 std::string_view section = {}) {
    return {reason, std::string(what) + " " + seen + ", expected " + wanted + by(section)};
}

/// A frame beside the one that was expected.
struct Pair {
    const Stream& stream;
    Class of;
    const Image& image;
    const Dissected& seen;
    const Dissected& expected;
    std::vector<Deviation>& accepted;

    const technology::Arriving& rules() const { return stream.arriving[flow::index(of)]; }
    const Packet& packet() const { return seen.packets.packet; }
    bool ipv4() const { return packet().family == wire::Family::ipv4; }
    /// UDP data.
    const std::uint8_t* data(const Dissected& one) const { return one.udp() + wire::udp::size; }
};

// Behind the outer header: none, or into a loopback the Tester's own.
bool has_options_of_image(const Pair& pair) {
    const Packet &seen = *pair.seen.packets.outer, &wanted = *pair.expected.packets.outer;
    const std::size_t from = wanted.ip + wire::ipv6::size;
    return seen.transport == wanted.transport &&
           std::equal(pair.seen.at + from, pair.seen.at + seen.transport, pair.expected.at + from);
}

Found lengths(const Pair& pair) {
    const Packet& packet = pair.packet();
    const auto& outer = pair.seen.packets.outer;
    const std::size_t size = pair.image.size(), udp_length = wire::load16(pair.seen.udp() + wire::udp::length);
    const std::size_t right_udp = size - pair.image.udp();
    const bool outer_fits = !outer || (outer->end == size && has_options_of_image(pair));
    if (pair.seen.size == size && packet.end == size && !packet.extension_headers && outer_fits && udp_length == right_udp)
        return {};
    const auto told = [](std::size_t frame, const Nested& packets, std::size_t udp) {
        const auto length = [](const Packet& one) { return std::to_string(one.end - one.ip); };
        return std::to_string(frame + wire::ethernet::check_sequence) + " bytes, " +
               (packets.outer ? "outer packet of " + length(*packets.outer) + ", " : "") + "IP packet of " +
               length(packets.packet) + ", UDP length " + std::to_string(udp);
    };
    return differ(
        Reason::wrong_length, "frame of",
        told(pair.seen.size, pair.seen.packets, udp_length) + additions(pair.seen.at, pair.seen.size, pair.seen.packets),
        told(size, pair.expected.packets, right_udp), pair.rules().lengths);
}

Found pool(const Pair& pair) {
    const Packet& packet = pair.packet();
    if (!pair.stream.any_source || pair.of == Class::background || in_pool(pair.stream, pair.seen.at, packet)) return {};
    return differ(Reason::outside_pool, "source",
                  wire::to_text(packet.source) + " port " + std::to_string(wire::load16(pair.seen.udp())),
                  technology::to_text(*pair.stream.pool));
}

Found address(std::string_view what, const wire::Address& seen, const wire::Address& wanted) {
    if (seen == wanted) return {};
    return differ(Reason::wrong_address, what, wire::to_text(seen), wire::to_text(wanted));
}
Found source(const Pair& pair) { return address("source", pair.packet().source, pair.expected.packets.packet.source); }
Found destination(const Pair& pair) {
    return address("destination", pair.packet().destination, pair.expected.packets.packet.destination);
}
Found outer_source(const Pair& pair) {
    if (!pair.seen.packets.outer) return {};
    return address("outer source", pair.seen.packets.outer->source, pair.expected.packets.outer->source);
}
Found outer_destination(const Pair& pair) {
    if (!pair.seen.packets.outer) return {};
    return address("outer destination", pair.seen.packets.outer->destination, pair.expected.packets.outer->destination);
}

Found ports(const Pair& pair) {
    if (std::memcmp(pair.seen.udp(), pair.expected.udp(), 4) == 0) return {};
    return differ(Reason::wrong_port, "ports", describe_ports(pair.seen.udp()), describe_ports(pair.expected.udp()));
}

// The first that isn't accepted; those before it that are go to `pair.accepted`.
template <std::size_t n> Found by_rules(const std::array<RuledField, n>& fields, const Pair& pair, const std::uint8_t* seen,
                                        const std::uint8_t* expected) {
    const technology::Arriving& rules = pair.rules();
    for (const RuledField& field : fields) {
        const std::uint32_t has = field.value(seen), wanted = field.value(expected);
        if (has == wanted || is_open(field, rules)) continue;
        auto found = differ(field.reason, field.name, field.text(has), field.text(wanted), (rules.*field.rule).section);
        if (!pair.stream.accepted.has(field.reason)) return found;
        pair.accepted.push_back(std::move(found));
    }
    return {};
}
Found outer_header(const Pair& pair) {
    if (!pair.seen.packets.outer) return {};
    return by_rules(outer_fields, pair, pair.seen.outer(), pair.expected.outer());
}
Found header(const Pair& pair) {
    if (pair.ipv4()) return by_rules(ipv4_fields, pair, pair.seen.ip(), pair.expected.ip());
    return by_rules(ipv6_fields, pair, pair.seen.ip(), pair.expected.ip());
}

Found header_checksum(const Pair& pair) {
    const std::uint8_t* ip = pair.seen.ip();
    if (!pair.ipv4() || wire::fold(wire::sum_bytes(ip, wire::ipv4::size)) == 0xffff) return {};
    return Deviation{Reason::ip_checksum, "IPv4 header checksum " + hex_number(wire::load16(ip + wire::ipv4::checksum), 4) +
                                              " is wrong" + by(pair.rules().header_checksum)};
}

Found data(const Pair& pair) {
    const std::uint8_t *seen = pair.data(pair.seen), *wanted = pair.data(pair.expected);
    if (!probe::intact(seen))
        return Deviation{Reason::payload, "UDP data changed: the probe, octets 0 to 17, contradicts itself"};
    const std::size_t octets = pair.image.size() - pair.image.probe();
    for (std::size_t i = 0; i < octets; ++i) {
        if (seen[i] != wanted[i])
            return differ(Reason::payload, "UDP data changed: octet " + std::to_string(i) + " is", hex_number(seen[i], 2),
                          hex_number(wanted[i], 2));
    }
    return {};
}

// Of an IPv4 packet (RFC 768): over source and destination, protocol, length, header and data.
bool fits_udp_checksum(const Dissected& seen) {
    constexpr std::size_t addresses = 8;
    const std::size_t octets = seen.packets.packet.end - seen.packets.packet.transport;
    return wire::fold(wire::sum_bytes(seen.ip() + wire::ipv4::source, addresses) + wire::network16(wire::protocol::udp) +
                      wire::network16(static_cast<std::uint16_t>(octets)) + wire::sum_bytes(seen.udp(), octets)) == 0xffff;
}

Found udp_checksum(const Pair& pair) {
    const auto seen = wire::load16(pair.seen.udp() + wire::udp::checksum),
               wanted = wire::load16(pair.expected.udp() + wire::udp::checksum);
    if (seen == wanted || has_no_udp_checksum(pair.seen)) return {};
    if (has_no_udp_checksum(pair.expected) && fits_udp_checksum(pair.seen)) return {};
    return differ(Reason::udp_checksum, "UDP checksum", hex_number(seen, 4), hex_number(wanted, 4), pair.rules().udp_checksum);
}

Found mac(const Pair& pair, std::string_view what, std::size_t offset) {
    const auto load = [&](const std::uint8_t* at) {
        wire::Mac found;
        std::memcpy(found.data(), at + offset, found.size());
        return found;
    };
    const wire::Mac seen = load(pair.seen.at), wanted = load(pair.expected.at);
    if (seen == wanted) return {};
    return differ(Reason::wrong_mac, what, wire::to_text(seen), wire::to_text(wanted));
}
Found destination_mac(const Pair& pair) { return mac(pair, "destination MAC", wire::ethernet::destination); }
Found source_mac(const Pair& pair) {
    if (!pair.stream.one_source_mac()) return {};
    return mac(pair, "source MAC", wire::ethernet::source);
}

// Which of several things a frame is counted for: who it's to before what its fields hold, and the UDP checksum only where all
// that it covers is right.
constexpr std::array in_order = {lengths,           pool,         source, destination,     ports, outer_source,
                                 outer_destination, outer_header, header, header_checksum, data,  udp_checksum,
                                 destination_mac,   source_mac};

}  // namespace

Deviations deviations(const Stream& stream, Class of, const Image& image, const Dissected& seen, const Dissected& expected) {
    Deviations found;
    const Pair pair{stream, of, image, seen, expected, found.accepted};
    for (const auto look : in_order) {
        found.first = look(pair);
        if (found.first) break;
    }
    return found;
}

bool in_pool(const Stream& stream, const std::uint8_t* at, const Packet& packet) {
    if (wire::family(packet.source) != stream.pool->family()) return false;
    return stream.pool->contains(make_entry(packet.source).bytes.data(), wire::load16(at + packet.transport));
}

bool has_no_udp_checksum(const Dissected& seen) {
    return seen.packets.packet.family == wire::Family::ipv4 && wire::load16(seen.udp() + wire::udp::checksum) == 0;
}

}  // namespace xlatperf::frame
