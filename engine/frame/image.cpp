#include "frame/image.h"

#include <algorithm>

#include "wire/byte_order.h"

namespace xlatperf::frame {

namespace {

std::vector<AddressEntry> entries(const std::vector<technology::Address>& addresses) {
    std::vector<AddressEntry> found;
    for (const auto& address : addresses) found.push_back(make_entry(address));
    return found;
}

}  // namespace

AddressEntry make_entry(const technology::Address& address) {
    AddressEntry entry;
    std::visit([&](const auto& a) { a.store(entry.bytes.data()); }, address);
    entry.sum = wire::sum_bytes(entry.bytes.data(), entry.bytes.size());
    return entry;
}

Image::Image(const ImageFields& fields)
    : family_(technology::family(fields.sources.at(0))),
      size_(std::max(fields.frame_size, smallest_frame(family_)) - wire::ethernet::check_sequence),
      tag_(fields.tag),
      bytes_(std::max(size_, head)),
      sources_(entries(fields.sources)),
      destinations_(entries(fields.destinations)) {
    std::copy(fields.destination_mac.begin(), fields.destination_mac.end(), bytes_.begin() + wire::ethernet::destination);
    std::copy(fields.source_mac.begin(), fields.source_mac.end(), bytes_.begin() + wire::ethernet::source);
    if (family_ == wire::Family::ipv4) {
        build_ipv4(fields);
    } else {
        build_ipv6(fields);
    }
    const auto udp_length = static_cast<std::uint16_t>(size_ - udp_);
    wire::store16(&bytes_[udp_ + wire::udp::length], udp_length);
    // RFC 2544 C.2.6.4: incrementing octets, of which the probe replaces the first 18.
    for (std::size_t i = probe() + probe::size; i < size_; ++i) bytes_[i] = static_cast<std::uint8_t>(i - probe());
    std::memcpy(&bytes_[source_offset_], sources_[0].bytes.data(), address_size_);
    std::memcpy(&bytes_[destination_offset()], destinations_[0].bytes.data(), address_size_);
    // RFC 768 and RFC 8200 §8.1: protocol and length of the pseudo header, the length again in the header.
    const std::size_t fill = probe() + probe::size;
    udp_sum_ = wire::network16(wire::protocol::udp) + 2ULL * wire::network16(udp_length) + probe::sum +
               wire::sum_bytes(&bytes_[fill], size_ - fill);
}

void Image::build_ipv4(const ImageFields& fields) {
    udp_ = wire::ethernet::size + wire::ipv4::size;
    source_offset_ = wire::ethernet::size + wire::ipv4::source;
    address_size_ = 4;
    wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv4);
    std::uint8_t* ip = &bytes_[wire::ethernet::size];
    ip[wire::ipv4::version_ihl] = 0x45;
    ip[wire::ipv4::tos] = fields.traffic_class;
    wire::store16(ip + wire::ipv4::total_length, static_cast<std::uint16_t>(size_ - wire::ethernet::size));
    wire::store16(ip + wire::ipv4::flags_offset, fields.dont_fragment ? wire::ipv4::dont_fragment : std::uint16_t{0});
    ip[wire::ipv4::ttl] = fields.hop_limit;
    ip[wire::ipv4::protocol] = wire::protocol::udp;
    ipv4_sum_ = wire::sum_bytes(ip, wire::ipv4::source);
    const auto checksum = static_cast<std::uint16_t>(~wire::fold(ipv4_sum_ + sources_[0].sum + destinations_[0].sum));
    std::memcpy(ip + wire::ipv4::checksum, &checksum, 2);
}

void Image::build_ipv6(const ImageFields& fields) {
    udp_ = wire::ethernet::size + wire::ipv6::size;
    source_offset_ = wire::ethernet::size + wire::ipv6::source;
    address_size_ = 16;
    wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv6);
    std::uint8_t* ip = &bytes_[wire::ethernet::size];
    wire::store32(ip, 0x60000000U | (static_cast<std::uint32_t>(fields.traffic_class) << 20));  // flow label 0
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(size_ - udp_));
    ip[wire::ipv6::next_header] = wire::protocol::udp;
    ip[wire::ipv6::hop_limit] = fields.hop_limit;
}

void Image::write_addresses(std::uint8_t* at, const Ends& between) const {
    const AddressEntry& from = between.source;
    const AddressEntry& to = between.destination;
    if (family_ == wire::Family::ipv6) {
        std::memcpy(at + wire::ethernet::size + wire::ipv6::source, from.bytes.data(), 16);
        std::memcpy(at + wire::ethernet::size + wire::ipv6::destination, to.bytes.data(), 16);
    } else {
        const auto checksum = static_cast<std::uint16_t>(~wire::fold(ipv4_sum_ + from.sum + to.sum));
        std::memcpy(at + wire::ethernet::size + wire::ipv4::source, from.bytes.data(), 4);
        std::memcpy(at + wire::ethernet::size + wire::ipv4::destination, to.bytes.data(), 4);
        std::memcpy(at + wire::ethernet::size + wire::ipv4::checksum, &checksum, 2);
    }
}

}  // namespace xlatperf::frame
