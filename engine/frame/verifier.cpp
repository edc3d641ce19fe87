#include "frame/verifier.h"

#include "wire/byte_order.h"

namespace xlatperf::frame {

Verifier::Verifier(const Stream& stream) : stream_(stream) {
    single_class_ = stream.mix.only_foreground() || stream.mix.only_background();
    first_class_ = static_cast<std::size_t>(stream.mix.only_background() ? Class::background : Class::foreground);
    for (std::size_t i = 0; i < flow::classes; ++i) {
        if (stream.expected[i]) compare_[i] = Comparison::of(stream, static_cast<Class>(i));
    }
    same_probe_ = single_class_ || compare_[0].probe == compare_[1].probe;
}

bool Verifier::matches_any_source(std::uint64_t sequence, const std::uint8_t* at, std::size_t size, Match& match) const {
    const Comparison& c = compare_[static_cast<std::size_t>(Class::foreground)];
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
