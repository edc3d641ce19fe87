#include "frame/image.h"

#include <algorithm>

#include "wire/byte_order.h"
#include "wire/rfc6052.h"

namespace xlatperf::frame {

namespace {

bool is_outside(const technology::Names& names) { return std::holds_alternative<technology::OutsideSubscriber>(names); }

std::shared_ptr<const flow::Subscribers> subscribers_in(const technology::Names& names) {
    if (const auto* own = std::get_if<technology::OfSubscriber>(&names)) return own->all;
    if (const auto* outside = std::get_if<technology::OutsideSubscriber>(&names)) return outside->all;
    return nullptr;
}

bool is_hairpin(const ImageFields& fields) { return subscribers_in(fields.sources) && subscribers_in(fields.destinations); }

wire::Family family_of(const ImageFields& fields) {
    if (is_outside(fields.sources) || is_outside(fields.destinations)) return wire::Family::ipv6;
    if (is_hairpin(fields)) return wire::Family::ipv4;
    const auto* list = technology::list_in(fields.sources);
    return wire::family((list != nullptr ? list : technology::list_in(fields.destinations))->at(0));
}

std::size_t ip_headers(wire::Family family, bool outer) {
    return (outer ? wire::ipv6::size : 0) + (family == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size);
}

}  // namespace

AddressEntry make_entry(const wire::Address& address) {
    AddressEntry entry;
    std::visit([&](const auto& a) { a.store(entry.bytes.data()); }, address);
    entry.sum = wire::sum_bytes(entry.bytes.data(), entry.bytes.size());
    return entry;
}

bool Image::Named::has(const AddressEntry& entry) const {
    if (!sorted.empty()) return std::binary_search(sorted.begin(), sorted.end(), entry.bytes);
    return std::any_of(list.begin(), list.end(), [&](const AddressEntry& one) { return one.bytes == entry.bytes; });
}

Image::Named Image::make_named(const technology::Names& names) {
    constexpr std::size_t long_list = 256;
    Named found;
    if (const auto* list = technology::list_in(names)) {
        for (const auto& address : *list) found.list.push_back(make_entry(address));
        if (found.list.size() > long_list) {
            for (const auto& one : found.list) found.sorted.push_back(one.bytes);
            std::sort(found.sorted.begin(), found.sorted.end());
        }
    }
    // Mostly all domains have the same: a list that stays in the caches.
    if (const auto* outside = std::get_if<technology::OutsideSubscriber>(&names)) {
        found.outside = outside->prefixes;
        if (std::equal(found.outside.begin() + 1, found.outside.end(), found.outside.begin())) found.outside.resize(1);
    }
    const auto* of_domain = std::get_if<technology::OfDomain>(&names);
    if (of_domain == nullptr) return found;
    found.of_each_domain = of_domain->each;
    const auto same = [](const AddressEntry& a, const AddressEntry& b) { return a.bytes == b.bytes; };
    if (found.list.size() > of_domain->each &&
        std::equal(found.list.begin() + of_domain->each, found.list.end(), found.list.begin(), same)) {
        found.list.resize(of_domain->each);
        found.of_each_domain = 0;
    }
    return found;
}

Image::Image(const ImageFields& fields)
    : family_(family_of(fields)),
      outer_(fields.outer.has_value()),
      hairpin_(is_hairpin(fields)),
      ip_(wire::ethernet::size + (outer_ ? wire::ipv6::size + fields.outer->option() : 0)),
      size_(std::max(fields.frame_size, smallest_frame(ip_headers(family_, outer_))) - wire::ethernet::check_sequence +
            (outer_ ? fields.outer->option() : 0)),
      tag_(fields.tag),
      seal_(fields.key, fields.tag),
      bytes_(std::max(size_, head)),
      source_(make_named(fields.sources)),
      destination_(make_named(fields.destinations)) {
    for (const auto* names : {&fields.sources, &fields.destinations}) {
        if (auto subscribers = subscribers_in(*names)) subscribers_ = std::move(subscribers);
        if (const auto* mapped = std::get_if<flow::MappedServers>(names)) mapped_ = *mapped;
    }
    std::copy(fields.destination_mac.begin(), fields.destination_mac.end(), bytes_.begin() + wire::ethernet::destination);
    std::copy(fields.source_mac.begin(), fields.source_mac.end(), bytes_.begin() + wire::ethernet::source);
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
    write_addresses(bytes_.data(), first.source, first.destination);
    std::memcpy(&bytes_[probe() + probe::tag], &tag_, 4);
    // RFC 768 and RFC 8200 §8.1: protocol and length of the pseudo header, the length again in the header.
    const std::size_t fill = probe() + probe::size;
    udp_sum_ = wire::network16(wire::protocol::udp) + 2ULL * wire::network16(udp_length) + probe::sum +
               wire::sum_bytes(bytes_.data() + fill, size_ - fill);
}

Ends Image::subscriber_ends(const flow::Flow& flow) const {
    const FrameAddresses addresses = subscriber_addresses(flow);
    const auto* at = reinterpret_cast<const std::uint8_t*>(addresses.packet.data());
    return {load_entry(at, address_size_), load_entry(at + address_size_, address_size_), flow.source_port,
            flow.destination_port};
}

void Image::write(std::uint8_t* at, const flow::Flow& flow, const Ends& between, std::uint64_t sequence,
                  std::uint64_t ticks) const {
    std::memcpy(at, bytes_.data(), bytes_.size());
    write_addresses(at, between.source, between.destination);
    if (!one_outer_pair()) {
        const auto outer = outer_ends(flow);
        std::memcpy(at + wire::ethernet::size + wire::ipv6::source, outer.data(), sizeof outer);
    }
    const std::uint32_t ports = flow::ports_in_memory(between.source_port, between.destination_port);
    const std::uint16_t checksum = udp_checksum(between);
    std::memcpy(at + udp_, &ports, 4);
    std::memcpy(at + udp_ + wire::udp::checksum, &checksum, 2);
    probe::store(at + probe(), tag_, seal_.number(sequence), ticks);
}

void Image::write_addresses(std::uint8_t* at, const AddressEntry& source, const AddressEntry& destination) const {
    std::memcpy(at + source_offset_, source.bytes.data(), address_size_);
    std::memcpy(at + destination_offset(), destination.bytes.data(), address_size_);
    if (family_ == wire::Family::ipv6) return;
    const auto checksum = static_cast<std::uint16_t>(~wire::fold(ipv4_sum_ + source.sum + destination.sum));
    std::memcpy(at + ip_ + wire::ipv4::checksum, &checksum, 2);
}

wire::Ipv6Address Image::hairpin_end(const Named& named, const flow::Subscriber& who, std::uint32_t host,
                                     const flow::Subscriber& other) const {
    if (named.outside.empty()) return subscribers_->ipv6(who, host);
    const auto& prefix = named.outside.size() == 1 ? named.outside[0] : named.outside[other.domain];
    return wire::rfc6052::embed(prefix, subscribers_->ipv4(who, host));
}

// The first one's tunnel leads to the gateway of its domain, the second one's comes from that of its own.
FrameAddresses Image::hairpin_addresses(const flow::Flow& flow) const {
    const auto from = flow::Subscriber::of(flow.subscriber), to = (*subscribers_)(flow.to_subscriber);
    const std::uint32_t from_host = flow.source_host, to_host = flow.destination_host;
    FrameAddresses found;
    if (family_ == wire::Family::ipv6) {
        const wire::Ipv6Address source = hairpin_end(source_, from, from_host, to),
                                destination = hairpin_end(destination_, to, to_host, from);
        source.store(reinterpret_cast<std::uint8_t*>(&found.packet[0]));
        destination.store(reinterpret_cast<std::uint8_t*>(&found.packet[2]));
        return found;
    }
    const std::uint64_t source = __builtin_bswap32(subscribers_->ipv4(from, from_host).value),
                        destination = __builtin_bswap32(subscribers_->ipv4(to, to_host).value);
    const bool enters = outer_source_.list.empty();
    const auto& who = enters ? from : to;
    const Named& end = enters ? outer_destination_ : outer_source_;
    found.packet[0] = source | destination << 32;
    found.outer =
        in_order(enters, subscribers_->ipv6(who, enters ? from_host : to_host), end.list[who.domain * end.of_each_domain]);
    return found;
}

bool Image::may_be(const Named& who, const wire::Address& address) const {
    const auto entry = make_entry(address);
    if (!who.list.empty()) return who.has(entry);
    if (b4s_) return b4s_->holds(std::get<wire::Ipv6Address>(address));  // B4s stand in outer headers alone
    if (mapped_) return mapped_->holds(std::get<wire::Ipv6Address>(address));
    if (!who.outside.empty()) {
        return std::any_of(who.outside.begin(), who.outside.end(), [&](const wire::Ipv6Prefix& prefix) {
            const auto ipv4 = wire::rfc6052::extract(prefix, std::get<wire::Ipv6Address>(address));
            return ipv4 && subscribers_->covers(*ipv4);
        });
    }
    return subscribers_->covers(address);
}

bool Image::may_be_to(const wire::Address& destination) const {
    const auto family = wire::family(destination);
    return (family == family_ && may_be(destination_, destination)) ||
           (outer_ && family == wire::Family::ipv6 && may_be(outer_destination_, destination));
}

bool Image::may_be_from(const wire::Address& source) const {
    const auto family = wire::family(source);
    return (family == family_ && may_be(source_, source)) ||
           (outer_ && family == wire::Family::ipv6 && may_be(outer_source_, source));
}

void Image::build_outer(const OuterFields& outer) {
    outer_source_ = make_named(outer.source);
    outer_destination_ = make_named(outer.destination);
    for (const auto* end : {&outer.source, &outer.destination}) {
        if (const auto* b4s = std::get_if<flow::B4s>(end)) b4s_ = *b4s;
        if (const auto* mapped = std::get_if<flow::MappedServers>(end)) mapped_ = *mapped;
    }
    one_outer_pair_ = !subscribers_ && !b4s_ && !mapped_;
    wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv6);
    std::uint8_t* ip = &bytes_[wire::ethernet::size];
    wire::store32(ip, 0x60000000U | (static_cast<std::uint32_t>(outer.traffic_class) << 20));  // flow label 0
    const std::size_t behind = wire::ethernet::size + wire::ipv6::size;
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(size_ - behind));
    const auto next = family_ == wire::Family::ipv4 ? wire::protocol::ipv4_in_ip : wire::protocol::ipv6_in_ip;
    ip[wire::ipv6::next_header] = outer.encapsulation_limit ? wire::protocol::destination_options : next;
    if (outer.encapsulation_limit) wire::encapsulation_limit::store(&bytes_[behind], next, *outer.encapsulation_limit);
    ip[wire::ipv6::hop_limit] = outer.hop_limit;
    if (!outer_source_.list.empty()) std::memcpy(ip + wire::ipv6::source, outer_source_.list[0].bytes.data(), 16);
    if (!outer_destination_.list.empty()) std::memcpy(ip + wire::ipv6::destination, outer_destination_.list[0].bytes.data(), 16);
}

void Image::build_ipv4(const ImageFields& fields) {
    udp_ = ip_ + wire::ipv4::size;
    source_offset_ = ip_ + wire::ipv4::source;
    address_size_ = 4;
    if (!fields.udp_checksum) udp_checksum_mask_ = 0;
    if (!outer_) wire::store16(&bytes_[wire::ethernet::type], wire::ethernet::ipv4);
    std::uint8_t* ip = &bytes_[ip_];
    ip[wire::ipv4::version_ihl] = 0x45;
    ip[wire::ipv4::tos] = fields.traffic_class;
    wire::store16(ip + wire::ipv4::total_length, static_cast<std::uint16_t>(size_ - ip_));
    wire::store16(ip + wire::ipv4::identification, fields.identification);
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
    wire::store32(ip, 0x60000000U | (static_cast<std::uint32_t>(fields.traffic_class) << 20) | fields.flow_label);
    wire::store16(ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(size_ - udp_));
    ip[wire::ipv6::next_header] = wire::protocol::udp;
    ip[wire::ipv6::hop_limit] = fields.hop_limit;
}

}  // namespace xlatperf::frame
