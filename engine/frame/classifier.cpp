#include "frame/classifier.h"

#include <algorithm>

#include "frame/encapsulation_limit.h"
#include "frame/text.h"
#include "wire/byte_order.h"

namespace xlatperf::frame {

namespace {

Finding stray(Stray kind, std::string text) {
    Finding finding;
    finding.stray = kind;
    finding.text = std::move(text);
    return finding;
}

bool is_neighbor_or_router_discovery(std::uint8_t type) {
    return (type >= 130 && type <= 137) || type == 143;  // RFC 4861, RFC 2710, RFC 3810
}

Finding classify_icmp(const std::uint8_t* at, const Packet& packet) {
    if (packet.fragment || packet.transport + wire::icmp::size > packet.end) return stray(Stray::foreign, describe(packet));
    const std::uint8_t type = at[packet.transport], code = at[packet.transport + wire::icmp::code];
    const bool v6 = packet.family == wire::Family::ipv6;
    if (v6 && is_neighbor_or_router_discovery(type)) return stray(Stray::arp_nd, describe(packet));
    const bool error = v6 ? type < 128 : type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
    if (!error) return stray(Stray::foreign, describe(packet));
    Finding finding =
        stray(Stray::icmp_error, describe(packet) + ", type " + std::to_string(type) + " code " + std::to_string(code));
    finding.icmp_error = IcmpError{packet.family, type, code, packet.source};
    return finding;
}

bool holds(const std::vector<std::uint8_t>& bytes, std::size_t offset, const std::uint8_t* at, std::size_t size) {
    return std::memcmp(bytes.data() + offset, at, size) == 0;
}

}  // namespace

Finding classify_stray(const std::uint8_t* at, std::size_t size, std::optional<std::uint32_t> trial_number) {
    if (size < wire::ethernet::size) return stray(Stray::malformed, std::to_string(size) + " bytes are no Ethernet frame");
    const std::uint16_t type = wire::load16(at + wire::ethernet::type);
    if (type == wire::ethernet::arp) return stray(Stray::arp_nd, "ARP");
    const auto nested = parse_nested(at, size);
    if (!nested) {
        if (type == wire::ethernet::ipv4 || type == wire::ethernet::ipv6) {
            return stray(Stray::malformed, "the IP header's lengths don't fit the frame of " + std::to_string(size) + " bytes");
        }
        return stray(Stray::foreign, "EtherType " + hex_number(type, 4));
    }
    const Packet* packet = &nested->packet;
    const auto icmp = packet->family == wire::Family::ipv4 ? wire::protocol::icmpv4 : wire::protocol::icmpv6;
    if (packet->protocol == icmp) return classify_icmp(at, *packet);
    const std::size_t probe_at = packet->transport + wire::udp::size;
    if (trial_number && packet->protocol == wire::protocol::udp && packet->first_fragment &&
        probe_at + probe::size <= packet->end) {
        const std::uint32_t tag = probe::load_tag(at + probe_at);
        if (probe::has_magic(tag) && probe::intact(at + probe_at)) {
            const bool now = probe::trial_of(tag) == *trial_number;
            return stray(now ? Stray::returned : Stray::stale,
                         describe(*packet) + ", of trial " + std::to_string(probe::trial_of(tag)));
        }
    }
    return stray(Stray::foreign, describe(*packet));
}

Finding Classifier::classify(const std::uint8_t* at, std::size_t size) const {
    const bool tunnelled = stream_.expected[0] && stream_.expected[0]->outer();
    if (tunnelled) {
        if (const auto plain = without_encapsulation_limit(at, size)) {
            Finding finding = classify(plain->data(), plain->size());
            finding.encapsulation_limit = finding.reason == Reason::expected;
            return finding;
        }
    }
    const auto frame = parse_nested(at, size);
    if (!frame) return classify_stray(at, size);
    const Packet* packet = &frame->packet;
    // What is left in a tunnel can't be looked into.
    const bool closed =
        tunnelled && (packet->protocol == wire::protocol::ipv4_in_ip || packet->protocol == wire::protocol::ipv6_in_ip);
    if (packet->protocol != wire::protocol::udp && !closed) return classify_stray(at, size);
    if (closed || (packet->fragment && !packet->first_fragment)) {
        if (!addressed_like_a_test_frame(*packet)) return stray(Stray::foreign, describe(*packet));
        return without_number(*packet);
    }
    return classify_udp(at, size, *frame);
}

Finding Classifier::classify_udp(const std::uint8_t* at, std::size_t size, const Nested& frame) const {
    const Packet& packet = frame.packet;
    const std::size_t probe_at = packet.transport + wire::udp::size;
    if (probe_at + probe::size > packet.end || !probe::has_magic(probe::load_tag(at + probe_at))) {
        if (addressed_like_a_test_frame(packet)) return without_number(packet);
        return stray(Stray::foreign, describe(packet));
    }
    const std::uint8_t* probe = at + probe_at;
    const std::uint32_t tag = probe::load_tag(probe);
    const std::uint64_t sequence = probe::load_sequence(probe);
    const bool intact = probe::intact(probe);
    if (intact && probe::trial_of(tag) != stream_.trial_number) {
        return stray(Stray::stale, describe(packet) + ", of trial " + std::to_string(probe::trial_of(tag)));
    }
    if (intact && probe::direction_of(tag) != stream_.direction) {
        return stray(Stray::returned, describe(packet) + ", number " + std::to_string(sequence));
    }
    if (sequence >= stream_.frames) return without_number(packet);

    Finding finding;
    finding.of = stream_.mix(sequence);
    finding.sequence = sequence;
    finding.stamp48 = probe::load_stamp(probe);
    const Image& image = stream_.expected_image(finding.of);
    const flow::Flow flow = stream_.flows(finding.of)(sequence);
    if (!intact) {
        // The number counts only if the headers confirm it: they follow from it.
        const Ends ends = stream_.expected_ends(finding.of, flow);
        const bool source_port = any_source_of(packet, finding.of) || wire::load16(at + packet.transport) == ends.source_port;
        const bool confirmed = tag == image.tag() && source_port &&
                               wire::load16(at + packet.transport + wire::udp::destination_port) == ends.destination_port;
        if (!confirmed) return without_number(packet);
    }
    if (packet.fragment) {
        finding.reason = Reason::fragment;
        finding.text = describe(packet);
    } else if (packet.family != image.family()) {
        finding.reason = Reason::untranslated;
        finding.text = describe(packet) + ", expected IPv" + std::to_string(static_cast<int>(image.family()));
    } else if (frame.outer.has_value() != image.outer()) {
        finding.reason = Reason::untranslated;
        finding.text = describe(packet) + (image.outer() ? ", not in a tunnel" : ", still in a tunnel");
    } else {
        compare(at, size, frame, finding);
    }
    return finding;
}

void Classifier::compare(const std::uint8_t* at, std::size_t size, const Nested& frame, Finding& finding) const {
    const Packet& packet = frame.packet;
    const Image& image = stream_.expected_image(finding.of);
    const std::vector<std::uint8_t> expected = expected_bytes(*finding.sequence, finding.stamp48, at, &packet);
    const auto right_frame = parse_nested(expected.data(), expected.size());
    const Packet* right = &right_frame->packet;
    const auto say = [&](Reason reason, std::string text) {
        finding.reason = reason;
        finding.text = std::move(text);
    };
    const auto differ = [](std::string_view what, const std::string& seen, const std::string& wanted) {
        return std::string(what) + " " + seen + ", expected " + wanted;
    };
    const std::size_t udp = packet.transport;
    const std::size_t udp_length = wire::load16(at + udp + wire::udp::length);
    const bool v4 = packet.family == wire::Family::ipv4;
    const bool outer_fits = !frame.outer || (frame.outer->end == image.size() && !frame.outer->extension_headers);
    if (size != image.size() || packet.end != image.size() || packet.extension_headers || !outer_fits ||
        udp_length != image.size() - image.udp()) {
        return say(
            Reason::wrong_length,
            differ("frame of",
                   std::to_string(size) + " bytes, IP packet of " + std::to_string(packet.end - packet.ip) + ", UDP length " +
                       std::to_string(udp_length) + (packet.extension_headers ? ", with options or extension headers" : "") +
                       (outer_fits ? "" : ", and the outer header's length or extension headers"),
                   std::to_string(image.size()) + ", " + std::to_string(image.size() - image.ip()) + ", " +
                       std::to_string(image.size() - image.udp())));
    }
    if (any_source_of(packet, finding.of) && !in_pool(at, packet)) {
        return say(Reason::outside_pool,
                   differ("source", technology::to_text(packet.source) + " port " + std::to_string(wire::load16(at + udp)),
                          technology::to_text(*stream_.pool)));
    }
    if (packet.source != right->source) {
        return say(Reason::wrong_address,
                   differ("source", technology::to_text(packet.source), technology::to_text(right->source)));
    }
    if (packet.destination != right->destination) {
        return say(Reason::wrong_address,
                   differ("destination", technology::to_text(packet.destination), technology::to_text(right->destination)));
    }
    if (!holds(expected, udp, at + udp, 4)) {
        return say(Reason::wrong_port, differ("ports", describe_ports(at + udp), describe_ports(expected.data() + udp)));
    }
    const auto say_hop_limit = [&](std::string text) {
        finding.hop_limits = HopLimits{packet.hop_limit, {}};
        if (frame.outer) finding.hop_limits->outer = frame.outer->hop_limit;
        say(Reason::hop_limit, std::move(text));
    };
    if (frame.outer) {
        const Packet &seen = *frame.outer, &wanted = *right_frame->outer;
        if (seen.source != wanted.source)
            return say(Reason::wrong_address,
                       differ("outer source", technology::to_text(seen.source), technology::to_text(wanted.source)));
        if (seen.destination != wanted.destination)
            return say(Reason::wrong_address, differ("outer destination", technology::to_text(seen.destination),
                                                     technology::to_text(wanted.destination)));
        if (seen.hop_limit != wanted.hop_limit)
            return say_hop_limit(differ("outer hop limit", std::to_string(seen.hop_limit), std::to_string(wanted.hop_limit)));
        if (seen.traffic_class != wanted.traffic_class)
            return say(Reason::traffic_class,
                       differ("outer traffic class", hex_number(seen.traffic_class, 2), hex_number(wanted.traffic_class, 2)));
        if (stream_.loopback) {  // else the tunnel's own (RFC 2473 §6.6)
            const auto label = [](const std::uint8_t* one) { return wire::load32(one + wire::ethernet::size) & 0xfffff; };
            if (label(at) != label(expected.data()))
                return say(Reason::ip_header,
                           differ("outer flow label", hex_number(label(at), 5), hex_number(label(expected.data()), 5)));
        }
    }
    if (packet.hop_limit != right->hop_limit) {
        return say_hop_limit(
            differ(v4 ? "TTL" : "hop limit", std::to_string(packet.hop_limit), std::to_string(right->hop_limit)));
    }
    if (packet.traffic_class != right->traffic_class) {
        return say(Reason::traffic_class, differ(v4 ? "type of service" : "traffic class", hex_number(packet.traffic_class, 2),
                                                 hex_number(right->traffic_class, 2)));
    }
    const std::uint8_t* ip = at + packet.ip;
    const std::uint8_t* right_ip = expected.data() + image.ip();
    if (v4) {
        const std::uint16_t flags = wire::load16(ip + wire::ipv4::flags_offset);
        const auto right_flags = wire::load16(right_ip + wire::ipv4::flags_offset);
        const bool free_choice = stream_.translated && finding.of == Class::foreground;
        finding.df_differs = free_choice && ((flags ^ right_flags) & wire::ipv4::dont_fragment) != 0;
        const std::uint16_t compared =
            free_choice ? static_cast<std::uint16_t>(~wire::ipv4::dont_fragment) : std::uint16_t{0xffff};
        if ((flags & compared) != (right_flags & compared)) {
            return say(Reason::ip_header, differ("flags and fragment offset", hex_number(flags, 4), hex_number(right_flags, 4)));
        }
        const auto id = wire::load16(ip + wire::ipv4::identification),
                   right_id = wire::load16(right_ip + wire::ipv4::identification);
        if (!free_choice && id != right_id) {
            return say(Reason::ip_header, differ("identification", hex_number(id, 4), hex_number(right_id, 4)));
        }
        if (wire::fold(wire::sum_bytes(ip, wire::ipv4::size)) != 0xffff) {
            return say(Reason::ip_checksum,
                       "IPv4 header checksum " + hex_number(wire::load16(ip + wire::ipv4::checksum), 4) + " is wrong");
        }
    } else if (packet.flow_label != right->flow_label) {
        return say(Reason::ip_header, differ("flow label", hex_number(packet.flow_label, 5), hex_number(right->flow_label, 5)));
    }
    const std::size_t payload = udp + wire::udp::size;
    if (!probe::intact(at + payload))
        return say(Reason::payload, "UDP data changed: the probe, octets 0 to 17, contradicts itself");
    for (std::size_t i = payload; i < image.size(); ++i) {
        if (at[i] != expected[i]) {
            return say(Reason::payload, "UDP data changed: octet " + std::to_string(i - payload) + " is " + hex_number(at[i], 2) +
                                            ", expected " + hex_number(expected[i], 2));
        }
    }
    const auto checksum = wire::load16(at + udp + wire::udp::checksum),
               right_checksum = wire::load16(expected.data() + udp + wire::udp::checksum);
    if (checksum != right_checksum) {
        if (v4 && checksum == 0) {
            finding.udp_checksum_zero = true;
        } else {
            return say(Reason::udp_checksum, differ("UDP checksum", hex_number(checksum, 4), hex_number(right_checksum, 4)));
        }
    }
    const auto look_at_mac = [&](std::string_view what, std::size_t offset) {
        if (holds(expected, offset, at + offset, 6)) return true;
        wire::Mac mac, right_mac;
        std::memcpy(mac.data(), at + offset, 6);
        std::memcpy(right_mac.data(), expected.data() + offset, 6);
        say(Reason::wrong_mac, differ(what, wire::to_text(mac), wire::to_text(right_mac)));
        return false;
    };
    if (!look_at_mac("destination MAC", wire::ethernet::destination)) return;
    if (stream_.loopback && !look_at_mac("source MAC", wire::ethernet::source)) return;  // else the DUT's
    say(Reason::expected, finding.udp_checksum_zero ? "UDP checksum 0" : "");
}

std::vector<std::uint8_t> Classifier::expected_bytes(std::uint64_t sequence, std::uint64_t stamp48, const std::uint8_t* at,
                                                     const Packet* packet) const {
    const Class of = stream_.mix(sequence);
    const Image& image = stream_.expected_image(of);
    std::vector<std::uint8_t> bytes(std::max(image.size(), Image::head));
    const flow::Flow flow = stream_.flows(of)(sequence);
    const Ends ends = stream_.expected_ends(of, flow);
    if (packet != nullptr && any_source_of(*packet, of) && packet->family == image.family() && in_pool(at, *packet)) {
        const Ends seen{make_entry(packet->source), ends.destination, wire::load16(at + packet->transport),
                        ends.destination_port};
        image.write(bytes.data(), flow, seen, sequence, stamp48);
    } else {
        image.write(bytes.data(), flow, ends, sequence, stamp48);
    }
    bytes.resize(image.size());
    return bytes;
}

bool Classifier::in_pool(const std::uint8_t* at, const Packet& packet) const {
    if (technology::family(packet.source) != stream_.pool->family()) return false;
    return stream_.pool->contains(make_entry(packet.source).bytes.data(), wire::load16(at + packet.transport));
}

bool Classifier::addressed_like_a_test_frame(const Packet& packet) const {
    return std::any_of(stream_.expected.begin(), stream_.expected.end(),
                       [&](const auto& image) { return image && image->may_be_to(packet.destination); });
}

Finding Classifier::without_number(const Packet& packet) const {
    Finding finding;
    finding.reason = packet.fragment ? Reason::fragment : Reason::payload;
    // Without a number the class can only be guessed: by the family where that decides, and by who is on a tunnel's other end.
    const auto& foreground = stream_.expected[0];
    const bool like_foreground =
        foreground && (foreground->family() == packet.family || foreground->may_be_to(packet.destination));
    finding.of = like_foreground || !stream_.expected[1] ? Class::foreground : Class::background;
    finding.text = describe(packet) + ": a frame to a simulated host whose number can't be read";
    return finding;
}

}  // namespace xlatperf::frame
