#include "frame/verifier.h"

#include <algorithm>

#include "wire/byte_order.h"

namespace xlatperf::frame {

Verifier::Verifier(const Stream& stream) : stream_(stream) {
    single_class_ = stream.mix.only_foreground() || stream.mix.only_background();
    first_class_ = static_cast<std::size_t>(stream.mix.only_background() ? Class::background : Class::foreground);
    for (std::size_t i = 0; i < flow::classes; ++i) {
        if (stream.expected[i]) compare_[i] = compare(stream, static_cast<Class>(i));
    }
    same_probe_ = single_class_ || compare_[0].probe == compare_[1].probe;
}

namespace {
void ignore_flow_label(std::uint8_t* mask) {
    mask[wire::ipv6::version_class_flow + 1] = 0xf0;
    mask[wire::ipv6::version_class_flow + 2] = mask[wire::ipv6::version_class_flow + 3] = 0;
}
}  // namespace

Verifier::Compare Verifier::compare(const Stream& stream, Class of) {
    const Image& image = stream.expected_image(of);
    Compare c;
    c.probe = image.probe();
    c.size = image.size();
    c.ipv4 = image.family() == wire::Family::ipv4;
    c.outer = image.outer();
    c.ip = image.ip();
    std::array<std::uint8_t, 8 * words_outer> pattern{}, mask{};
    std::copy_n(image.bytes(), std::min(image.probe(), pattern.size()), pattern.begin());
    std::fill_n(mask.begin(), std::min(image.probe(), mask.size()), std::uint8_t{0xff});
    const auto ignore = [&](std::size_t at, std::size_t bytes) {
        std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::uint8_t{0});
    };
    if (!stream.loopback) ignore(wire::ethernet::source, 6);
    if (stream.any_source && of == Class::foreground) ignore(image.source_offset(), image.address_size());
    ignore(image.udp(), 4);  // ports and checksum are compared with those of the flow
    ignore(image.udp() + wire::udp::checksum, 2);
    if (!image.one_address_pair()) ignore(image.source_offset(), 2 * image.address_size());
    if (c.ipv4) {
        ignore(c.ip + wire::ipv4::checksum, 2);
        if (stream.translated && of == Class::foreground) {
            ignore(c.ip + wire::ipv4::identification, 2);
            mask[c.ip + wire::ipv4::flags_offset] = static_cast<std::uint8_t>(~0x40);
        }
    }
    if (c.outer) {
        if (!image.one_outer_pair()) ignore(wire::ethernet::size + wire::ipv6::source, 32);
        if (!stream.loopback) ignore_flow_label(mask.data() + wire::ethernet::size);
    }
    std::memcpy(c.pattern.data(), pattern.data(), pattern.size());
    std::memcpy(c.mask.data(), mask.data(), mask.size());
    return c;
}

bool Verifier::matches_any_source(std::uint64_t sequence, const std::uint8_t* at, std::size_t size, Match& match) const {
    const Compare& c = compare_[static_cast<std::size_t>(Class::foreground)];
    const Image& image = stream_.expected_image(Class::foreground);
    std::uint64_t differs = c.differs(at, size);

    const flow::Flow flow = stream_.flows(Class::foreground)(sequence);
    const std::uint8_t* probe = at + c.probe;
    const std::uint8_t* udp = probe - wire::udp::size;
    const std::uint8_t* address = at + image.source_offset();
    const AddressEntry source = load_entry(address, image.address_size());
    const AddressEntry& destination = image.destination(flow.destination_network);
    const std::uint16_t port = wire::load16(udp);
    differs |= static_cast<std::uint64_t>(wire::load16(udp + wire::udp::destination_port) ^ flow.destination_port);
    std::uint16_t checksum;
    std::memcpy(&checksum, udp + wire::udp::checksum, 2);
    differs |= static_cast<std::uint64_t>(checksum ^ image.udp_checksum(Ends{source, destination, port, flow.destination_port}));
    differs |= probe::load_tag(probe) ^ image.tag();
    differs |= static_cast<std::uint64_t>(!probe::intact(probe));
    match.df_differs = false;
    if (c.ipv4) {
        const std::uint8_t* ip = at + c.ip;
        differs |= wire::fold(wire::sum_bytes(ip, wire::ipv4::size)) ^ 0xffffU;
        const std::uint8_t right = image.bytes()[c.ip + wire::ipv4::flags_offset];
        match.df_differs = ((ip[wire::ipv4::flags_offset] ^ right) & 0x40) != 0;
    }
    if (differs != 0) return false;
    if (!image.one_address_pair() &&
        std::memcmp(at + image.destination_offset(), destination.bytes.data(), image.address_size()) != 0) {
        return false;
    }
    const std::size_t fill = c.probe + probe::size;
    if (size > fill && std::memcmp(at + fill, image.bytes() + fill, size - fill) != 0) return false;
    match.sequence = sequence;
    match.of = Class::foreground;
    match.stamp48 = probe::load_stamp(probe);
    match.connection = flow.key;
    match.source = address;
    match.source_port = port;
    return true;
}

}  // namespace xlatperf::frame
