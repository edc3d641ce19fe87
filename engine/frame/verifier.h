// Is a received frame exactly what it must be? Compares everything with the image of the frame's number: what isn't compared
// is the source MAC (the DUT's) and, where headers were translated, the IPv4 identification and DF, which RFC 7915 §5.1 leaves to
// the DUT or derives from the size (DF is counted), and the flow label of an outer header, which RFC 2473 §6.6 leaves to it.
#pragma once

#include <array>
#include <cstdint>

#include "frame/comparison.h"
#include "frame/stream.h"

namespace xlatperf::frame {

class Verifier {
  public:
    explicit Verifier(const Stream& stream);

    /// A frame that is as expected.
    struct Match {
        std::uint64_t sequence;
        Class of;
        bool df_differs;  ///< from what RFC 7915 §5.1 says, in IPv4 frames that were translated
        std::uint64_t stamp48;
        std::uint64_t connection;    ///< of stateful tests
        const std::uint8_t* source;  ///< the source address in the frame,
        std::uint16_t source_port;   ///< and its port
    };

    /// Whether the `size` bytes at `at` are a right frame of the stream. `at` has at least `Image::readable` bytes.
    bool matches(const std::uint8_t* at, std::size_t size, Match& match) const {
        // Of which class the frame is follows from its number, and where the number is from the class; both classes
        // are tried where they differ in family.
        const Comparison& first = compare_[first_class_];
        const std::uint64_t sequence = probe::load_sequence(at + first.probe);
        if (sequence < stream_.frames) {
            const Class of = single_class_ ? static_cast<Class>(first_class_) : stream_.mix(sequence);
            if (static_cast<std::size_t>(of) == first_class_ || same_probe_) {
                if (stream_.any_source && of == Class::foreground) [[unlikely]]
                    return matches_any_source(sequence, at, size, match);
                return matches_as(of, sequence, at, size, match);
            }
        }
        if (single_class_ || same_probe_) return false;
        const std::uint64_t second = probe::load_sequence(at + compare_[1 - first_class_].probe);
        if (second >= stream_.frames || static_cast<std::size_t>(stream_.mix(second)) == first_class_) return false;
        if (stream_.any_source && first_class_ == 1) return matches_any_source(second, at, size, match);
        return matches_as(static_cast<Class>(1 - first_class_), second, at, size, match);
    }

  private:
    bool matches_as(Class of, std::uint64_t sequence, const std::uint8_t* at, std::size_t size, Match& match) const;
    /// The same for frames whose source is the DUT's choice: everything else must be right, also the checksums for that source.
    bool matches_any_source(std::uint64_t sequence, const std::uint8_t* at, std::size_t size, Match& match) const;

    const Stream& stream_;
    std::array<Comparison, flow::classes> compare_;
    std::size_t first_class_ = 0;
    bool single_class_ = true, same_probe_ = true;
};

inline bool Verifier::matches_as(Class of, std::uint64_t sequence, const std::uint8_t* at, std::size_t size, Match& match) const {
    const Comparison& c = compare_[static_cast<std::size_t>(of)];
    const Image& image = stream_.expected_image(of);
    std::uint64_t differs = c.differs(at, size);

    const flow::Flow flow = stream_.flows(of)(sequence);
    std::uint64_t sum_of_addresses;
    if (image.subscribers() != nullptr) [[unlikely]] {
        const FrameAddresses right = image.subscriber_addresses(flow);
        sum_of_addresses = right.sum;
        differs |= FrameAddresses::differ(at + image.source_offset(), right.packet, c.ipv4 ? 1 : 4);
        if (c.outer) differs |= FrameAddresses::differ(at + wire::ethernet::size + wire::ipv6::source, right.outer, 4);
    } else {
        sum_of_addresses = image.source(flow.source_network).sum + image.destination(flow.destination_network).sum;
        if (!image.one_outer_pair()) [[unlikely]]
            differs |= FrameAddresses::differ(at + wire::ethernet::size + wire::ipv6::source, image.outer_ends(flow), 4);
    }
    const std::uint8_t* udp = at + c.probe - wire::udp::size;
    std::uint32_t ports;
    std::memcpy(&ports, udp, 4);
    differs |= ports ^ flow::ports_in_memory(flow.source_port, flow.destination_port);
    std::uint16_t checksum;
    std::memcpy(&checksum, udp + wire::udp::checksum, 2);
    differs |=
        static_cast<std::uint64_t>(checksum ^ image.udp_checksum(flow.source_port, flow.destination_port, sum_of_addresses));
    const std::uint8_t* probe = at + c.probe;
    differs |= probe::load_tag(probe) ^ image.tag();
    differs |= static_cast<std::uint64_t>(!probe::intact(probe));
    if (c.ipv4) {
        const std::uint8_t* ip = at + c.ip;
        differs |= wire::fold(wire::sum_bytes(ip, wire::ipv4::size)) ^ 0xffffU;
        const std::uint8_t right = image.bytes()[c.ip + wire::ipv4::flags_offset];
        match.df_differs = ((ip[wire::ipv4::flags_offset] ^ right) & 0x40) != 0;  // elsewhere it was compared already
    } else {
        match.df_differs = false;
    }
    if (differs != 0) return false;
    if (!image.one_address_pair() && image.subscribers() == nullptr) {
        if (std::memcmp(at + image.source_offset(), image.source(flow.source_network).bytes.data(), image.address_size()) != 0 ||
            std::memcmp(at + image.destination_offset(), image.destination(flow.destination_network).bytes.data(),
                        image.address_size()) != 0) {
            return false;
        }
    }
    const std::size_t fill = c.probe + probe::size;
    if (size > fill && std::memcmp(at + fill, image.bytes() + fill, size - fill) != 0) return false;
    match.sequence = sequence;
    match.of = of;
    match.stamp48 = probe::load_stamp(probe);
    match.connection = flow.key;
    match.source = at + image.source_offset();
    match.source_port = flow.source_port;
    return true;
}

}  // namespace xlatperf::frame
