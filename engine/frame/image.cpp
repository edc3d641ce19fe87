#include "frame/image.h"

#include <algorithm>

#include "wire/byte_order.h"

namespace xlatperf::frame {

namespace {

wire::Family family_of(const technology::Names& names) {
    if (const auto* list = std::get_if<technology::Addresses>(&names)) return technology::family(list->at(0));
    return std::get<technology::OfSubscriber>(names) == technology::OfSubscriber::ipv4 ? wire::Family::ipv4 : wire::Family::ipv6;
}

std::size_t ip_headers(wire::Family family, bool outer) {
    return (outer ? wire::ipv6::size : 0) + (family == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size);
}

}  // namespace

AddressEntry make_entry(const technology::Address& address) {
    AddressEntry entry;
    std::visit([&](const auto& a) { a.store(entry.bytes.data()); }, address);
    entry.sum = wire::sum_bytes(entry.bytes.data(), entry.bytes.size());
    return entry;
}

Image::Named Image::make_named(const technology::Names& names, std::uint32_t networks) {
    Named found;
    if (const auto* list = std::get_if<technology::Addresses>(&names)) {
        for (const auto& address : *list) found.list.push_back(make_entry(address));
        if (list->size() > networks) found.of_each_domain = networks;
    } else {
        found.of_subscriber = std::get<technology::OfSubscriber>(names);
    }
    return found;
}

Image::Image(const ImageFields& fields)
    : family_(family_of(fields.sources)),
      outer_(fields.outer.has_value()),
      ip_(wire::ethernet::size + (outer_ ? wire::ipv6::size : 0)),
      size_(std::max(fields.frame_size, smallest_frame(ip_headers(family_, outer_))) - wire::ethernet::check_sequence),
      tag_(fields.tag),
      bytes_(std::max(size_, head)),
      subscribers_(fields.subscribers),
      source_(make_named(fields.sources, fields.source_networks)),
      destination_(make_named(fields.destinations, fields.destination_networks)) {
    std::copy(fields.destination_mac.begin(), fields.destination_mac.end(), bytes_.begin() + wire::ethernet::destination);
    std::copy(fields.source_mac.begin(), fields.source_mac.end(), bytes_.begin() + wire::ethernet::source);
    one_address_pair_ = !subscribers_ && source_.list.size() == 1 && destination_.list.size() == 1;
    if (fields.outer) build_outer(*fields.outer);
    if (family_ == wire::Family::ipv4) {
        build_ipv4(fields);
    } else {
        build_ipv6(fields);
    }
    const auto udp_length = static_cast<std::uint16_t>(size_ - udp_);
    wire::store16(&bytes_[udp_ + wire::udp::length], udp_length);
    // RFC 2544 C.2.6.4: incrementing octets, of which the probe replaces the first 18.
    for (std::size_t i = probe() + probe::size; i < size_; ++i) bytes_[i] = static_cast<std::uint8_t>(i - probe());
    const Ends first = ends({});
    write_addresses(bytes_.data(), first);
    if (outer_) write_outer(bytes_.data(), {});
    // RFC 768 and RFC 8200 §8.1: protocol and length of the pseudo header, the length again in the header.
    const std::size_t fill = probe() + probe::size;
    udp_sum_ = wire::network16(wire::protocol::udp) + 2ULL * wire::network16(udp_length) + probe::sum +
               wire::sum_bytes(&bytes_[fill], size_ - fill);
}

bool Image::could_be_subscriber(const technology::Address& address) const {
    if (!subscribers_) return false;
    for (std::size_t i = 0; i < subscribers_->domains(); ++i) {
        const auto& rule = subscribers_->rule(i);
        if (const auto* v4 = std::get_if<wire::Ipv4Address>(&address); v4 != nullptr && rule.covers(*v4)) return true;
        if (const auto* v6 = std::get_if<wire::Ipv6Address>(&address); v6 != nullptr && rule.covers(*v6)) return true;
    }
    return false;
}

void Image::build_outer(const OuterFields& outer) {
    outer_source_ = make_named(outer.source, 0);
    outer_destination_ = make_named(outer.destination, 0);
    for (auto* end : {&outer_source_, &outer_destination_}) end->of_each_domain = end->list.size() > 1 ? 1 : 0;
    wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv6);
    std::uint8_t* ip = &bytes_[wire::ethernet::size];
    wire::store32(ip, 0x60000000U | (static_cast<std::uint32_t>(outer.traffic_class) << 20));  // RFC 2473 §6.4, §6.5
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(size_ - ip_));
    ip[wire::ipv6::next_header] = family_ == wire::Family::ipv4 ? wire::protocol::ipv4_in_ip : wire::protocol::ipv6_in_ip;
    ip[wire::ipv6::hop_limit] = outer.hop_limit;
}

void Image::build_ipv4(const ImageFields& fields) {
    udp_ = ip_ + wire::ipv4::size;
    source_offset_ = ip_ + wire::ipv4::source;
    address_size_ = 4;
    if (!outer_) wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv4);
    std::uint8_t* ip = &bytes_[ip_];
    ip[wire::ipv4::version_ihl] = 0x45;
    ip[wire::ipv4::tos] = fields.traffic_class;
    wire::store16(ip + wire::ipv4::total_length, static_cast<std::uint16_t>(size_ - ip_));
    wire::store16(ip + wire::ipv4::flags_offset, fields.dont_fragment ? wire::ipv4::dont_fragment : std::uint16_t{0});
    ip[wire::ipv4::ttl] = fields.hop_limit;
    ip[wire::ipv4::protocol] = wire::protocol::udp;
    ipv4_sum_ = wire::sum_bytes(ip, wire::ipv4::source);
}

void Image::build_ipv6(const ImageFields& fields) {
    udp_ = ip_ + wire::ipv6::size;
    source_offset_ = ip_ + wire::ipv6::source;
    address_size_ = 16;
    if (!outer_) wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv6);
    std::uint8_t* ip = &bytes_[ip_];
    wire::store32(ip, 0x60000000U | (static_cast<std::uint32_t>(fields.traffic_class) << 20));  // flow label 0
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(size_ - udp_));
    ip[wire::ipv6::next_header] = wire::protocol::udp;
    ip[wire::ipv6::hop_limit] = fields.hop_limit;
}

}  // namespace xlatperf::frame
