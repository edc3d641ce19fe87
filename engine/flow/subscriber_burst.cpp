#include "flow/subscriber_burst.h"

#include <algorithm>

#include "flow/drawing.h"
#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

using Fixed = SubscriberBurst::Fixed;
using Shape = SubscriberBurst::Shape;

// What belongs to each frame, on the way to its flow.
struct Draws {
    alignas(64) OfBurst<std::uint64_t> own_random, other_port, psid;
    std::array<std::uint16_t, most_in_burst> domain;  // of rows
};

// Port `number` of a set, as in memory. Where all ports from `first` on are somebody's own, all bits are contiguous, and the PSID
// is 0.
[[gnu::always_inline]] inline std::uint64_t port_of(const Shape& s, std::uint64_t number, std::uint64_t psid,
                                                    std::uint64_t first = 0) {
    const std::uint64_t contiguous = (std::uint64_t{1} << s.contiguous_bits) - 1;
    const std::uint64_t port = first + (((number >> s.contiguous_bits) + s.first_block) << s.block_shift |
                                        psid << s.contiguous_bits | (number & contiguous));
    return port_in_memory(port == 0 ? s.instead_of_0 : port);
}

XLATPERF_VECTOR_CLONES void draw_who(const Fixed& fixed, std::uint64_t subscribers, const std::uint64_t* sequences, unsigned n,
                                     std::uint64_t* index, Draws& found) {
    const Fixed d = fixed;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t a = mix(d.keys[0] + sequences[i]), b = mix(d.keys[1] + sequences[i]);
        index[i] = spread_half(low_half(a), subscribers);
        found.own_random[i] = high_half(a);
        found.other_port[i] = port_in_memory(d.first_other_port + spread_half(low_half(b), d.other_ports));
    }
}

// Who those are between that come `n` further on, if numbers go on as they do.
XLATPERF_VECTOR_CLONES void draw_ahead(const Fixed& fixed, std::uint64_t subscribers, const std::uint64_t* sequences, unsigned n,
                                       std::uint64_t* index) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i)
        index[i] = spread_half(low_half(mix(d.keys[0] + sequences[i] + n)), subscribers);
}

XLATPERF_VECTOR_CLONES void draw_addresses(const Fixed& fixed, const std::uint64_t* sequences, unsigned n, std::uint64_t* hosts,
                                           std::uint64_t* far_hosts) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t more = mix(mix(d.keys[1] + sequences[i]));
        hosts[i] = more & d.host_mask;
        far_hosts[i] = spread_half(high_half(more), d.far_hosts);
    }
}

// Of one subscriber, who is in all frames.
XLATPERF_VECTOR_CLONES void draw_peer_ports(const Fixed& fixed, const Shape& shape, const std::uint64_t* sequences, unsigned n,
                                            std::uint64_t* ports) {
    const std::uint64_t key = fixed.keys[1];
    const Shape s = shape;
    for (unsigned i = 0; i < whole_vectors(n); ++i)
        ports[i] = port_of(s, spread_half(low_half(mix(key + sequences[i])), s.own_ports), s.psid);
}

XLATPERF_VECTOR_CLONES void leave_out(const Without& without, unsigned n, std::uint64_t* numbers) {
    const Without w = without;
    for (unsigned i = 0; i < whole_vectors(n); ++i) numbers[i] += numbers[i] >= w.first ? w.count : 0;
}

// As Subscribers::Drawn::number.
XLATPERF_VECTOR_CLONES void to_numbers(const Fixed& fixed, unsigned n, std::uint64_t* numbers) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        double rest = to_double(numbers[i]);
        const std::uint64_t psid = to_number(d.psids.take(rest));
        numbers[i] = d.from + (to_number(rest) << d.psid_bits | (d.first_psid + psid));
    }
}

// All ports are the subscriber's own.
XLATPERF_VECTOR_CLONES void place_any_ports(const Shape& shape, bool sends, const Draws& draws, unsigned n,
                                            std::uint64_t* ports) {
    const Shape s = shape;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t own = port_in_memory(s.first_own_port + spread_half(draws.own_random[i], s.own_ports));
        const std::uint64_t other = draws.other_port[i];
        ports[i] = sends ? own | other << 16 : other | own << 16;
    }
}

// As Subscribers::port. `psids` has more above the PSID's bits.
XLATPERF_VECTOR_CLONES void place_ports(const Fixed& fixed, const Shape& shape, const Draws& draws, const std::uint64_t* psids,
                                        unsigned n, std::uint64_t* ports) {
    const Fixed d = fixed;
    const Shape s = shape;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t number = spread_half(draws.own_random[i], s.own_ports), psid = d.psid | (psids[i] & d.psid_mask);
        const std::uint64_t own = port_of(s, number, psid), other = draws.other_port[i];
        ports[i] = d.sends ? own | other << 16 : other | own << 16;
    }
}

// The same, each in the shape of its domain.
void place_ports_of(const std::vector<Shape>& shapes, const std::vector<std::uint8_t>& of_domain, bool sends, const Draws& draws,
                    unsigned n, std::uint64_t* ports) {
    for (unsigned i = 0; i < n; ++i) {
        const Shape& s = shapes[of_domain[draws.domain[i]]];
        const std::uint64_t number = spread_half(draws.own_random[i], s.own_ports);
        const std::uint64_t own = port_of(s, number, draws.psid[i], s.first_own_port), other = draws.other_port[i];
        ports[i] = sends ? own | other << 16 : other | own << 16;
    }
}

}  // namespace

bool SubscriberBurst::suits(const SubscriberFlows& flows) {
    const bool can = flows.subscribers->rows() == nullptr || !flows.subscribers->has_prefixes();
    return can && flows.own_ports.drawn() && flows.other_ports.drawn();
}

SubscriberBurst::SubscriberBurst(const SubscriberFlows& flows) : subscribers_(flows.subscribers), beginnings_(flows.beginnings) {
    const auto& rule = subscribers_->rule(0);
    const bool rows = subscribers_->rows() != nullptr;
    fixed_.keys = flows.keys;
    fixed_.from = subscribers_->domain(0).from;
    fixed_.first_psid = rule.first_psid;
    // Where those below the first can't be had, the number is taken apart; else it stays whole.
    fixed_.psid_bits = rule.first_psid == 0 ? 0 : rule.psid_bits;
    fixed_.psids = Digit(rule.first_psid == 0 ? 1 : subscribers_->domain(0).psids.divisor());
    fixed_.far_hosts = flows.far_hosts;
    fixed_.host_mask = static_cast<std::uint32_t>((std::uint64_t{1} << rule.host_bits) - 1);
    fixed_.first_other_port = flows.other_ports.first();
    fixed_.other_ports = flows.other_ports.drawn_from();
    fixed_.sends = flows.send;
    fixed_.psid_mask = rows ? 0xffff : (1U << rule.psid_bits) - 1;
    fixed_.psid = rows ? 0 : rule.psid;
    for (std::size_t domain = 0; domain < subscribers_->domains(); ++domain) {
        const Shape shape = shape_of(*subscribers_, flows.own_ports, domain);
        const auto known = std::find(shapes_.begin(), shapes_.end(), shape);
        of_domain_.push_back(static_cast<std::uint8_t>(known - shapes_.begin()));  // of at most 153: offset and length
        if (known == shapes_.end()) shapes_.push_back(shape);
    }
    if (flows.peer != nullptr && !flows.peer->rule(0).all_ports()) {
        of_peer_ = shape_of(*flows.peer, flows.other_ports, 0);
        of_peer_->psid = flows.peer->psid((*flows.peer)(0));
    }
}

SubscriberBurst::Shape SubscriberBurst::shape_of(const Subscribers& subscribers, const PortRange& own_ports, std::size_t domain) {
    const auto& rule = subscribers.rule(domain);
    Shape found;
    found.all_ports = rule.all_ports();
    if (found.all_ports) {
        found.first_own_port = own_ports.first();
        found.own_ports = own_ports.drawn_from();
        found.contiguous_bits = 16;
        return found;
    }
    const PortSet ports = rule.ports(0);
    found.own_ports = own_ports.order() == Order::fixed ? 1 : ports.ports();
    found.first_block = ports.psid_offset() == 0 ? 0 : 1;
    found.contiguous_bits = 16 - ports.psid_offset() - ports.psid_length();
    found.block_shift = 16 - ports.psid_offset();
    found.instead_of_0 = ports.ports() > 1 ? 1 : 0;
    return found;
}

bool SubscriberBurst::draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
    std::uint32_t begun = subscribers_->count();
    if (beginnings_) [[unlikely]] {
        const auto of_each = beginnings_->begun(sequences, n);
        if (!of_each) return false;
        begun = *of_each;
    }
    draw_among(begun, sequences, n, found);
    return true;
}

void SubscriberBurst::draw_among(std::uint64_t subscribers, const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
    const auto& domain = subscribers_->domain(0);
    const Binding* rows = subscribers_->rows();
    Draws draws;
    std::uint64_t* who = found.subscriber.data();  // of the first domain: packed, a number is itself
    draw_who(fixed_, subscribers, sequences, n, who, draws);
    if (of_peer_) draw_peer_ports(fixed_, *of_peer_, sequences, n, draws.other_port.data());
    constexpr std::uint64_t in_cache = (256 << 10) / sizeof(Binding);
    if (rows != nullptr) {
        if (subscribers > in_cache) {
            alignas(64) OfBurst<std::uint64_t> next;
            draw_ahead(fixed_, subscribers, sequences, n, next.data());
            for (unsigned i = 0; i < n; ++i) subscribers_->prefetch(next[i]);
        }
    } else {
        permute(domain.order, who, n);
        if (domain.from != 0 || domain.rule.first_psid != 0) to_numbers(fixed_, n, who);
        if (domain.without.count > 0) leave_out(domain.without, n, who);
    }
    auto& own = fixed_.sends ? found.source_host : found.destination_host;
    auto& other = fixed_.sends ? found.destination_host : found.source_host;
    if (fixed_.far_hosts > 1 || fixed_.host_mask != 0) {
        draw_addresses(fixed_, sequences, n, own.data(), other.data());
    } else {
        clear(own.data(), n);
        clear(other.data(), n);
    }
    if (rows != nullptr) {
        clear(draws.psid.data(), n);
        for (unsigned i = 0; i < n; ++i) {
            const Binding& row = rows[who[i]];
            draws.psid[i] = row.psid;
            draws.domain[i] = row.domain;
            who[i] |= std::uint64_t{row.domain} << 48;
        }
    }
    std::uint64_t* ports = found.ports.data();
    if (shapes_.size() > 1) return place_ports_of(shapes_, of_domain_, fixed_.sends, draws, n, ports);
    if (shapes_[0].all_ports) return place_any_ports(shapes_[0], fixed_.sends, draws, n, ports);
    place_ports(fixed_, shapes_[0], draws, rows != nullptr ? draws.psid.data() : who, n, ports);
}

}  // namespace xlatperf::flow
