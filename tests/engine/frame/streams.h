// Streams to test with, built by hand rather than by trial/, and ways to spoil their frames.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frame/stream.h"
#include "rfc1071.h"
#include "technology/forwarded.h"
#include "technology/translated.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::frame {

using Bytes = std::vector<std::uint8_t>;

enum class Kind { ipv6_to_ipv4, ipv4_to_ipv6, native_ipv4, native_ipv6 };

inline constexpr Kind all_kinds[] = {Kind::ipv6_to_ipv4, Kind::ipv4_to_ipv6, Kind::native_ipv4, Kind::native_ipv6};

inline std::string name(Kind kind) {
    return std::array{"ipv6_to_ipv4", "ipv4_to_ipv6", "native_ipv4", "native_ipv6"}[static_cast<std::size_t>(kind)];
}

struct StreamOptions {
    Kind kind = Kind::ipv6_to_ipv4;
    std::size_t ipv6_size = 84;  ///< with FCS; IPv4 frames are 20 bytes shorter
    std::uint32_t networks = 1, take = 1, of = 1, trial_number = 5, session = 0;
    std::uint64_t frames = 1000;
    bool loopback = false;
    flow::Direction direction = flow::Direction::forward;
    bool udp_checksum = true;               ///< of IPv4 frames that are sent
    std::vector<std::size_t> in_turn = {};  ///< in place of ipv6_size
};

inline wire::Family sent_family(Kind kind) {
    return kind == Kind::ipv6_to_ipv4 || kind == Kind::native_ipv6 ? wire::Family::ipv6 : wire::Family::ipv4;
}
inline wire::Family received_family(Kind kind) {
    return kind == Kind::ipv4_to_ipv6 || kind == Kind::native_ipv6 ? wire::Family::ipv6 : wire::Family::ipv4;
}

inline wire::Address address(const std::string& text) {
    if (const auto four = wire::parse_ipv4(text)) return *four;
    return wire::parse_ipv6(text).value();
}

/// 198.18.i.2 and 198.19.i.2, or 2001:2:0:i::2 and 2001:2:0:8i::2.
inline std::vector<wire::Address> addresses(wire::Family family, bool destination, std::uint32_t networks) {
    std::vector<wire::Address> found;
    for (std::uint32_t i = 0; i < networks; ++i) {
        if (family == wire::Family::ipv4) {
            found.emplace_back(wire::Ipv4Address{(destination ? 0xc6130002U : 0xc6120002U) + (i << 8)});
        } else {
            auto value = wire::parse_ipv6(destination ? "2001:2:0:8000::2" : "2001:2::2")->value;
            found.emplace_back(wire::Ipv6Address{value + (wire::Bits128{i} << 64)});
        }
    }
    return found;
}

inline constexpr std::uint8_t sent_hop_limit = 10, sent_traffic_class = 0xb8;
inline constexpr wire::Mac tester_left = {2, 0, 0, 0, 0, 0x10}, tester_right = {2, 0, 0, 0, 0, 0x11},
                           gateway_left = {2, 0, 0, 0, 0, 0x20}, gateway_right = {2, 0, 0, 0, 0, 0x21};

inline Image image(const StreamOptions& options, wire::Family family, bool received, bool background) {
    ImageFields fields;
    fields.sources = addresses(family, false, options.networks);
    fields.destinations = addresses(family, true, options.networks);
    if (background) {  // other hosts than those of the foreground
        for (auto* list : {&fields.sources, &fields.destinations}) {
            for (auto& one : std::get<technology::Addresses>(*list))
                std::get<wire::Ipv6Address>(one).value += wire::Bits128{0x4000} << 64;
        }
    }
    fields.frame_size = family == wire::Family::ipv6 ? options.ipv6_size : options.ipv6_size - 20;
    fields.traffic_class = sent_traffic_class;
    fields.hop_limit = static_cast<std::uint8_t>(sent_hop_limit - (received && !options.loopback ? 1 : 0));
    const bool forward = options.direction == flow::Direction::forward;
    fields.source_mac = received ? (forward ? gateway_right : gateway_left) : (forward ? tester_left : tester_right);
    fields.destination_mac = received ? (forward ? tester_right : tester_left) : (forward ? gateway_left : gateway_right);
    fields.tag = probe::make_tag(options.direction, {options.session, options.trial_number});
    // RFC 7915 §4.5: who translates it computes one.
    const bool ipv4 = !background && sent_family(options.kind) == wire::Family::ipv4;
    fields.udp_checksum = options.udp_checksum || !ipv4 || family == wire::Family::ipv6;
    return Image(fields);
}

inline technology::Arriving arriving(const StreamOptions& options) {
    if (options.loopback) return technology::untouched;
    const auto family = received_family(options.kind);
    return family != sent_family(options.kind) ? technology::translated(family) : technology::forwarded(family);
}

inline Stream make_stream(const StreamOptions& options) {
    const flow::PortRange sources(flow::Order::pseudorandom, 1024, 65535), destinations(flow::Order::pseudorandom, 1, 49151);
    const flow::Enumeration flows(flow::HostFlows::Space{{options.networks, options.networks}},
                                  {1, options.direction, sources, destinations});
    Stream stream{.direction = options.direction,
                  .arrives = flow::receiver(options.direction),
                  .mark = {options.session, options.trial_number},
                  .frames = options.frames,
                  .foreground_flows = flows,
                  .background_flows = flows,
                  .mix = flow::TrafficMix(options.take, options.of),
                  .arriving = {arriving(options), options.loopback ? technology::untouched : technology::forwarded_ipv6},
                  .loopback = options.loopback,
                  .sent = {},
                  .expected = {},
                  .sizes = flow::SizeSequence(options.in_turn.empty() ? std::vector{options.ipv6_size} : options.in_turn)};
    const auto images = [&](wire::Family family, bool received, bool background) {
        Images found;
        for (const std::size_t size : stream.sizes.sizes()) {
            StreamOptions own = options;
            own.ipv6_size = size;
            found.add(image(own, family, received, background));
        }
        return found;
    };
    if (options.take > 0) {
        stream.sent[0] = images(sent_family(options.kind), false, false);
        stream.expected[0] = options.loopback ? stream.sent[0] : images(received_family(options.kind), true, false);
    }
    if (options.take < options.of) {
        stream.sent[1] = images(wire::Family::ipv6, false, true);
        stream.expected[1] = options.loopback ? stream.sent[1] : images(wire::Family::ipv6, true, true);
    }
    return stream;
}

/// Frame `sequence` as `image` writes it, exactly as long as it is.
inline Bytes written(const Image& image, const flow::Flow& flow, std::uint64_t sequence, std::uint64_t ticks = 0x123456789abc) {
    Bytes bytes(std::max(image.size(), Image::head));
    image.write(bytes.data(), flow, image.ends(flow), sequence, ticks);
    bytes.resize(image.size());
    bytes.shrink_to_fit();  // so that AddressSanitizer sees reads beyond the end
    return bytes;
}
inline Bytes received(const Stream& stream, std::uint64_t sequence, std::uint64_t ticks = 0x123456789abc) {
    const auto of = stream.mix(sequence);
    return written(stream.expected_image(of, sequence), stream.flows(of)(sequence), sequence, ticks);
}
inline Bytes sent(const Stream& stream, std::uint64_t sequence) {
    const auto of = stream.mix(sequence);
    return written(stream.sent_image(of, sequence), stream.flows(of)(sequence), sequence);
}

inline bool is_ipv4(const Bytes& frame) { return frame[wire::ethernet::size] >> 4 == 4; }
inline std::size_t udp_offset(const Bytes& frame) {
    return wire::ethernet::size + (is_ipv4(frame) ? wire::ipv4::size : wire::ipv6::size);
}
inline std::size_t data_offset(const Bytes& frame) { return udp_offset(frame) + wire::udp::size; }

inline Bytes ip_packet(const Bytes& frame) { return {frame.begin() + wire::ethernet::size, frame.end()}; }

/// Makes the IPv4 header checksum right again; does nothing to IPv6.
inline void repair_ip_checksum(Bytes& frame) {
    if (!is_ipv4(frame)) return;
    std::uint8_t* ip = &frame[wire::ethernet::size];
    wire::store16(ip + wire::ipv4::checksum, 0);
    wire::store16(ip + wire::ipv4::checksum, rfc1071::checksum({ip, ip + wire::ipv4::size}));
}
/// Makes all checksums right again.
inline void repair_checksums(Bytes& frame) {
    repair_ip_checksum(frame);
    wire::store16(&frame[udp_offset(frame) + wire::udp::checksum], rfc1071::udp_checksum(ip_packet(frame)));
}

/// Puts an IPv6 extension header of 8 bytes before the UDP header, and counts it in the payload length.
inline void insert_extension_header(Bytes& frame, std::uint8_t type, std::array<std::uint8_t, 6> content) {
    const std::size_t at = wire::ethernet::size + wire::ipv6::size;
    Bytes header = {frame[wire::ethernet::size + wire::ipv6::next_header], 0};
    header.insert(header.end(), content.begin(), content.end());
    frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(at), header.begin(), header.end());
    frame[wire::ethernet::size + wire::ipv6::next_header] = type;
    std::uint8_t* length = &frame[wire::ethernet::size + wire::ipv6::payload_length];
    wire::store16(length, static_cast<std::uint16_t>(wire::load16(length) + 8));
}

/// A frame with this IP packet's headers and `payload` of `protocol` behind them.
inline Bytes ip_frame(const wire::Address& source, const wire::Address& destination, std::uint8_t protocol,
                      const Bytes& payload) {
    const bool v4 = wire::family(source) == wire::Family::ipv4;
    Bytes frame(wire::ethernet::size + (v4 ? wire::ipv4::size : wire::ipv6::size));
    wire::store16(&frame[wire::ethernet::type], v4 ? wire::ethernet::ipv4 : wire::ethernet::ipv6);
    std::uint8_t* ip = &frame[wire::ethernet::size];
    const auto store = [](const wire::Address& a, std::uint8_t* at) { std::visit([&](const auto& one) { one.store(at); }, a); };
    if (v4) {
        ip[0] = 0x45;
        wire::store16(ip + wire::ipv4::total_length, static_cast<std::uint16_t>(wire::ipv4::size + payload.size()));
        ip[wire::ipv4::ttl] = 64;
        ip[wire::ipv4::protocol] = protocol;
        store(source, ip + wire::ipv4::source);
        store(destination, ip + wire::ipv4::destination);
        repair_ip_checksum(frame);
    } else {
        ip[0] = 0x60;
        wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(payload.size()));
        ip[wire::ipv6::next_header] = protocol;
        ip[wire::ipv6::hop_limit] = 255;
        store(source, ip + wire::ipv6::source);
        store(destination, ip + wire::ipv6::destination);
    }
    frame.insert(frame.end(), payload.begin(), payload.end());
    return frame;
}

}  // namespace xlatperf::frame
