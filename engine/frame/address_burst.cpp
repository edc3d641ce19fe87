#include "frame/address_burst.h"

#include "wire/clones.h"

namespace xlatperf::frame {

namespace {

using flow::whole_vectors;
using OfRule = AddressBurst::OfRule;

// SubscriberRule::ipv4_of and ipv6_of; addresses are as in memory, the IPv4 address in the lower half. `ipv6` has two words.
XLATPERF_VECTOR_CLONES void compute(const OfRule& rule, const std::uint64_t* numbers, const std::uint64_t* hosts, unsigned n,
                                    std::uint64_t* ipv4, OfBurst<std::uint64_t>* ipv6) {
    const OfRule r = rule;  // nothing that is written can change it
    const unsigned shift = r.ipv6_shift;
    std::uint64_t *high = ipv6[0].data(), *low = ipv6[1].data();
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t number = numbers[i];
        const std::uint64_t network = r.ipv4 | (number >> r.psid_bits << r.host_bits & 0xffffffff);
        const std::uint64_t address = network | hosts[i];
        const std::uint64_t psid = r.psid | (number & r.psid_mask);
        const std::uint64_t identifier = ((r.host_in_ipv6 ? address : network) << 16 | psid) << r.identifier_shift;
        const std::uint64_t below = shift < 64 ? number << (shift & 63) : 0;
        const std::uint64_t above = shift >= 64 ? number << (shift & 63) : shift == 0 ? 0 : number >> ((64 - shift) & 63);
        ipv4[i] = __builtin_bswap64(address) >> 32;
        high[i] = __builtin_bswap64(r.ipv6_high | above);
        low[i] = __builtin_bswap64(r.ipv6_low | below | (identifier & r.identifier_mask));
    }
}

// A subscriber's IPv4 address and that of the other end, which is `far` or the same in all frames, as source and destination.
XLATPERF_VECTOR_CLONES void join(const std::uint64_t* own, const std::uint64_t* far, std::uint64_t same, bool sends, unsigned n,
                                 std::uint64_t* both) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t there = far != nullptr ? far[i] : same;
        both[i] = sends ? own[i] | there << 32 : there | own[i] << 32;
    }
}

/// MappedServers::number, of whole bursts.
struct OfServers {
    std::uint64_t suffix, step, psid_mask;
    unsigned port_at, psid_shift, psid_bits;  // of ports in memory; of a PSID in a port; of the number
};
XLATPERF_VECTOR_CLONES void number(const OfServers& servers, const std::uint64_t* hosts, const std::uint64_t* ports, unsigned n,
                                   std::uint64_t* numbers) {
    const OfServers s = servers;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t in_memory = ports[i] >> s.port_at & 0xffff, port = (in_memory << 8 | in_memory >> 8) & 0xffff;
        const std::uint64_t suffix = s.suffix + (hosts[i] & 0xffffffff) * (s.step & 0xffffffff);
        numbers[i] = suffix << s.psid_bits | (port >> s.psid_shift & s.psid_mask);
    }
}

std::uint32_t ipv4_piece(const AddressEntry& address) {
    std::uint32_t value;
    std::memcpy(&value, address.bytes.data(), 4);
    return value;
}

// Those that are listed under `index`, as two words.
void write_ipv6(const std::vector<AddressEntry>& list, const auto& index, unsigned n, OfBurst<std::uint64_t>* words) {
    for (unsigned i = 0; i < n; ++i) {
        const std::uint8_t* address = list[index(i)].bytes.data();
        words[0][i] = piece(address, 0);
        words[1][i] = piece(address, 1);
    }
}

// The same, of subscribers.
void look_up(const flow::Binding* rows, const std::uint64_t* subscribers, unsigned n, std::uint64_t* ipv4,
             OfBurst<std::uint64_t>* ipv6) {
    for (unsigned i = 0; i < n; ++i) {
        const flow::Binding& row = rows[flow::Subscriber::number_of(subscribers[i])];
        ipv4[i] = __builtin_bswap32(row.ipv4);
        ipv6[0][i] = __builtin_bswap64(row.ipv6[0]);
        ipv6[1][i] = __builtin_bswap64(row.ipv6[1]);
    }
}

OfRule of_rule(const flow::SubscriberRule& rule, const flow::Binding* rows = nullptr) {
    return OfRule{.rows = rows,
                  .ipv6_high = static_cast<std::uint64_t>(rule.ipv6 >> 64),
                  .ipv6_low = static_cast<std::uint64_t>(rule.ipv6),
                  .identifier_mask = static_cast<std::uint64_t>(rule.identifier_mask),
                  .ipv4 = rule.ipv4,
                  .psid = rule.psid,
                  .psid_mask = (1U << rule.psid_bits) - 1,
                  .ipv6_shift = rule.ipv6_shift,
                  .identifier_shift = rule.identifier_shift,
                  .psid_bits = rule.psid_bits,
                  .host_bits = rule.host_bits,
                  .host_in_ipv6 = rule.host_in_ipv6};
}

std::optional<OfRule> the_rule(const flow::Subscribers& subscribers) {
    if (subscribers.rows() != nullptr && subscribers.has_prefixes()) return {};
    return of_rule(subscribers.rule(0), subscribers.rows());
}

}  // namespace

AddressBurst::AddressBurst(const Image& image, bool any_source, bool any_destination)
    : image_(&image), any_source_(any_source), any_destination_(any_destination) {
    const bool source = any_source || image.sources().varies(), destination = any_destination || image.destinations().varies();
    if (image.family() == wire::Family::ipv4) {
        if (source || destination) {
            source_word_ = 0;
            destination_word_ = 1;  // the upper half of word 0
            offset_[words_++] = image.source_offset();
        }
    } else {
        if (source) source_word_ = add(image.source_offset());
        if (destination) destination_word_ = add(image.destination_offset());
    }
    packet_words_ = words_;
    if (source_word_ == none) sum_of_others_ += image.source(0).sum;
    if (destination_word_ == none) sum_of_others_ += image.destination(0).sum;
    if (image.outer()) {
        constexpr std::size_t outer = wire::ethernet::size;
        if (image.outer_sources().varies()) outer_source_word_ = add(outer + wire::ipv6::source);
        if (image.outer_destinations().varies()) outer_destination_word_ = add(outer + wire::ipv6::destination);
    }
    if (image.subscribers() != nullptr && !image.hairpin()) rule_ = the_rule(*image.subscribers());
    if (image.mapped()) rule_ = of_rule(image.mapped()->rule);
}

unsigned AddressBurst::add(std::size_t offset) {
    const unsigned first = words_;
    offset_[words_++] = offset;
    offset_[words_++] = offset + 8;
    return first;
}

void AddressBurst::write(const flow::FlowBurst& flows, unsigned n, Words& words) const {
    if (words_ == 0) return;
    if (image_->subscribers() == nullptr) return write_listed(flows, n, words);
    if (rule_) return write_subscribers(flows, n, words);
    write_one_by_one(flows, n, words);
}

// Of the CEs that a burst's servers are behind; these are sources or destinations.
void AddressBurst::write_mapped(const flow::FlowBurst& flows, unsigned n, bool sources, OfBurst<std::uint64_t>* words) const {
    const auto& [rule, servers] = *image_->mapped();
    const OfServers all = {.suffix = servers.first.value - rule.ipv4,
                           .step = servers.step,
                           .psid_mask = (std::uint64_t{1} << rule.psid_bits) - 1,
                           .port_at = sources ? 0U : 16U,
                           .psid_shift = 16 - rule.psid_offset - rule.psid_length,
                           .psid_bits = rule.psid_bits};
    static constexpr OfBurst<std::uint64_t> hosts{};
    alignas(64) OfBurst<std::uint64_t> numbers, ipv4;
    number(all, (sources ? flows.source_host : flows.destination_host).data(), flows.ports.data(), n, numbers.data());
    compute(*rule_, numbers.data(), hosts.data(), n, ipv4.data(), words);
}

// Both ends of the packet are in lists, or one is a server's CE; an end of the tunnel may be a B4, or such a CE.
void AddressBurst::write_listed(const flow::FlowBurst& flows, unsigned n, Words& words) const {
    const auto& sources = image_->sources().list;
    const auto& destinations = image_->destinations().list;
    // Whoever the DUT chooses is first.
    const auto source = [&](unsigned i) { return any_source_ ? 0 : flows.source_host[i]; };
    const auto destination = [&](unsigned i) { return any_destination_ ? 0 : flows.destination_host[i]; };
    if (image_->family() == wire::Family::ipv6) {
        if (source_word_ != none && !sources.empty()) write_ipv6(sources, source, n, &words.of[source_word_]);
        if (destination_word_ != none && !destinations.empty())
            write_ipv6(destinations, destination, n, &words.of[destination_word_]);
        if (sources.empty()) write_mapped(flows, n, true, &words.of[source_word_]);
        if (destinations.empty()) write_mapped(flows, n, false, &words.of[destination_word_]);
    } else if (packet_words_ > 0) {
        for (unsigned i = 0; i < n; ++i)
            words.of[0][i] = ipv4_piece(sources[source(i)]) | std::uint64_t{ipv4_piece(destinations[destination(i)])} << 32;
    }
    if (words_ == packet_words_) return;
    const bool sends = outer_source_word_ != none;
    const unsigned word = sends ? outer_source_word_ : outer_destination_word_;
    if (image_->mapped()) return write_mapped(flows, n, sends, &words.of[word]);
    for (unsigned i = 0; i < n; ++i) {
        const auto address = image_->b4s()->address(static_cast<std::uint32_t>(flows.b4[i])).value;
        words.of[word][i] = __builtin_bswap64(static_cast<std::uint64_t>(address >> 64));
        words.of[word + 1][i] = __builtin_bswap64(static_cast<std::uint64_t>(address));
    }
}

void AddressBurst::write_subscribers(const flow::FlowBurst& flows, unsigned n, Words& words) const {
    const bool sends = image_->sources().list.empty();
    const Image::Named& far_end = sends ? image_->destinations() : image_->sources();
    const auto& far = far_end.list;
    const auto& hosts = sends ? flows.source_host : flows.destination_host;
    const auto& far_hosts = sends ? flows.destination_host : flows.source_host;
    const bool ipv6 = image_->family() == wire::Family::ipv6;
    const unsigned own_word = sends ? source_word_ : destination_word_, far_word = sends ? destination_word_ : source_word_,
                   outer_word = sends ? outer_source_word_ : outer_destination_word_,
                   far_outer_word = sends ? outer_destination_word_ : outer_source_word_;
    alignas(64) OfBurst<std::uint64_t> own, there;
    std::array<OfBurst<std::uint64_t>, 2> nowhere;
    auto* address = ipv6 ? &words.of[own_word] : image_->outer() ? &words.of[outer_word] : nowhere.data();
    if (rule_->rows != nullptr) {
        look_up(rule_->rows, flows.subscriber.data(), n, own.data(), address);
    } else {
        compute(*rule_, flows.subscriber.data(), hosts.data(), n, own.data(), address);
    }
    const auto domain = [&](unsigned i) { return flow::Subscriber::of(flows.subscriber[i]).domain; };
    const auto far_host = [&](unsigned i) { return far_hosts[i] + std::uint64_t{domain(i)} * far_end.of_each_domain; };
    if (ipv6) {
        if (far_word != none) write_ipv6(far, far_host, n, &words.of[far_word]);
        return;
    }
    if (far_outer_word != none) {
        const Image::Named& end = sends ? image_->outer_destinations() : image_->outer_sources();
        const auto of_domain = [&](unsigned i) { return std::uint64_t{domain(i)} * end.of_each_domain; };
        write_ipv6(end.list, of_domain, n, &words.of[far_outer_word]);
    }
    for (unsigned i = 0; far.size() > 1 && i < n; ++i) there[i] = ipv4_piece(far[far_host(i)]);
    join(own.data(), far.size() > 1 ? there.data() : nullptr, ipv4_piece(far[0]), sends, n, words.of[0].data());
}

void AddressBurst::write_one_by_one(const flow::FlowBurst& flows, unsigned n, Words& words) const {
    const auto store = [&](unsigned i, unsigned word, std::uint64_t first, std::uint64_t second) {
        if (word == none) return;
        words.of[word][i] = first;
        words.of[word + 1][i] = second;
    };
    for (unsigned i = 0; i < n; ++i) {
        const FrameAddresses addresses = image_->subscriber_addresses(flows.at(i));
        if (image_->family() == wire::Family::ipv4) {
            words.of[0][i] = addresses.packet[0];
        } else {
            store(i, source_word_, addresses.packet[0], addresses.packet[1]);
            store(i, destination_word_, addresses.packet[2], addresses.packet[3]);
        }
        store(i, outer_source_word_, addresses.outer[0], addresses.outer[1]);
        store(i, outer_destination_word_, addresses.outer[2], addresses.outer[3]);
    }
}

}  // namespace xlatperf::frame
