#include "frame/classifier.h"

#include <algorithm>

#include "counter/acceptable.h"
#include "frame/encapsulation_limit.h"
#include "frame/numbered_identification.h"
#include "frame/text.h"
#include "wire/byte_order.h"

namespace xlatperf::frame {

namespace {

constexpr const char* of_another_tester = ", of another Tester, or of an earlier run";

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

}  // namespace

Finding classify_stray(const std::uint8_t* at, std::size_t size, std::optional<probe::Mark> mark) {
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
    if (mark && packet->protocol == wire::protocol::udp && packet->first_fragment && probe_at + probe::size <= packet->end) {
        const std::uint32_t tag = probe::load_tag(at + probe_at);
        if (probe::has_magic(tag) && probe::intact(at + probe_at)) {
            if (probe::session_of(tag) != mark->session) return stray(Stray::foreign, describe(*packet) + of_another_tester);
            const bool now = probe::trial_of(tag) == mark->trial;
            return stray(now ? Stray::returned : Stray::stale,
                         describe(*packet) + ", of trial " + std::to_string(probe::trial_of(tag)));
        }
    }
    return stray(Stray::foreign, describe(*packet));
}

Finding Classifier::classify(const std::uint8_t* at, std::size_t size) const {
    const bool tunnelled = stream_.expected[0] && stream_.expected[0]->outer();
    if (tunnelled && !stream_.expected[0]->has_encapsulation_limit()) {
        if (const auto plain = without_encapsulation_limit(at, size)) {
            Finding finding = classify(plain->data(), plain->size());
            finding.remarks.add(Remark::encapsulation_limit, finding.reason == Reason::expected);
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
        Finding finding = without_number(*packet);
        if (closed) finding.text += "; what is in this tunnel is another one, or a packet whose lengths don't fit";
        return finding;
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
    if (intact && probe::session_of(tag) != stream_.mark.session)
        return stray(Stray::foreign, describe(packet) + of_another_tester);
    if (intact && probe::trial_of(tag) != stream_.mark.trial) {
        return stray(Stray::stale, describe(packet) + ", of trial " + std::to_string(probe::trial_of(tag)));
    }
    if (intact && probe::direction_of(tag) != stream_.direction) {
        return stray(Stray::returned, describe(packet) + ", number " + std::to_string(sequence));
    }
    if (sequence >= stream_.frames) return without_number(packet);

    Finding finding;
    finding.of = stream_.mix(sequence);
    if (probe::load_number(probe) != stream_.expected_image(finding.of).seal().number(sequence)) {
        if (!intact) return without_number(packet);
        return stray(Stray::foreign, describe(packet) + ", with this Tester's mark and a number that it gave to no frame");
    }
    finding.sequence = sequence;
    finding.stamp48 = probe::load_stamp(probe);
    const Image& image = stream_.expected_image(finding.of, sequence);
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
        compare({at, size, frame}, finding);
    }
    return finding;
}

void Classifier::compare(const Dissected& seen, Finding& finding) const {
    const std::vector<std::uint8_t> bytes = expected_bytes(*finding.sequence, finding.stamp48, seen.at, &seen.packets.packet);
    const Dissected expected{bytes.data(), bytes.size(), *parse_nested(bytes.data(), bytes.size())};
    const Deviations found =
        deviations(stream_, finding.of, stream_.expected_image(finding.of, *finding.sequence), seen, expected);
    const auto tell_hop_limits = [&](const Deviation& one) {
        if (one.reason != Reason::hop_limit) return;
        finding.hop_limits = HopLimits{seen.packets.packet.hop_limit, {}};
        if (seen.packets.outer) finding.hop_limits->outer = seen.packets.outer->hop_limit;
    };
    if (found.first) {
        finding.reason = found.first->reason;
        finding.text = found.first->text;
        return tell_hop_limits(*found.first);
    }
    finding.reason = Reason::expected;
    for (const Deviation& one : found.accepted) {
        finding.remarks.add(Remark::accepted);
        finding.remarks.add(*counter::accepted_as(one.reason));
        finding.text += (finding.text.empty() ? "" : "; ") + one.text;
        tell_hop_limits(one);
    }
    if (has_no_udp_checksum(seen) != has_no_udp_checksum(expected)) {
        const bool none = has_no_udp_checksum(seen);
        finding.remarks.add(none ? Remark::udp_checksum_zero : Remark::udp_checksum_added);
        finding.text += finding.text.empty() ? "" : "; ";
        finding.text += none ? "UDP checksum 0" : "a UDP checksum, and it was sent with none";
    }
    if (seen.packets.packet.family == wire::Family::ipv4) {
        const auto flags = [](const Dissected& one) { return wire::load16(one.ip() + wire::ipv4::flags_offset); };
        finding.remarks.add(Remark::df_differs, ((flags(seen) ^ flags(expected)) & wire::ipv4::dont_fragment) != 0);
    }
}

std::vector<std::uint8_t> Classifier::expected_bytes(std::uint64_t sequence, std::uint64_t stamp48, const std::uint8_t* at,
                                                     const Packet* packet) const {
    const Class of = stream_.mix(sequence);
    const Image& image = stream_.expected_image(of, sequence);
    std::vector<std::uint8_t> bytes(std::max(image.size(), Image::head));
    const flow::Flow flow = stream_.flows(of)(sequence);
    const Ends ends = stream_.expected_ends(of, flow);
    if (packet != nullptr && any_source_of(*packet, of) && packet->family == image.family() && in_pool(stream_, at, *packet)) {
        const Ends seen{make_entry(packet->source), ends.destination, wire::load16(at + packet->transport),
                        ends.destination_port};
        image.write(bytes.data(), flow, seen, sequence, stamp48);
    } else {
        image.write(bytes.data(), flow, ends, sequence, stamp48);
    }
    bytes.resize(image.size());
    if (of == Class::foreground && stream_.arrives_with_numbered_identification())
        turn_identification(bytes.data(), image, sequence);
    return bytes;
}

bool Classifier::addressed_like_a_test_frame(const Packet& packet) const {
    const auto any = [](const auto& images, auto fits) {
        return std::any_of(images.begin(), images.end(), [&](const auto& image) { return image && fits(*image); });
    };
    const auto from = [&](const Image& image) { return image.may_be_from(packet.source); };
    if (!any(stream_.expected, [&](const Image& image) { return image.may_be_to(packet.destination); })) return false;
    // What the device sends on is from one of the simulated hosts, translated or not; anybody may send to one of them.
    return any(stream_.expected, from) || any(stream_.sent, from) || from_pool(packet.source);
}

bool Classifier::from_pool(const wire::Address& source) const {
    const auto& pool = stream_.pool;
    return pool && wire::family(source) == pool->family() && pool->contains(make_entry(source).bytes.data(), pool->port_for(0));
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
