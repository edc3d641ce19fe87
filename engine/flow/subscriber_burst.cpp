#include "flow/subscriber_burst.h"

#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

using Fixed = SubscriberBurst::Fixed;

// What belongs to each frame, on the way to its flow.
struct Draws {
    alignas(64) OfBurst<std::uint32_t> own_random, other_port, psid;
};

XLATPERF_VECTOR_CLONES void draw_who(const Fixed& fixed, const std::uint64_t* sequences, unsigned n, std::uint64_t* index,
                                     Draws& found) {
    const Fixed d = fixed;  // nothing that is written can change it
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t a = mix(d.keys[0] + sequences[i]), b = mix(d.keys[1] + sequences[i]);
        index[i] = spread(low_half(a), d.subscribers);
        found.own_random[i] = high_half(a);
        found.other_port[i] = drawn_port(d.first_other_port, low_half(b), d.other_ports);
    }
}

XLATPERF_VECTOR_CLONES void draw_addresses(const Fixed& fixed, const std::uint64_t* sequences, unsigned n, std::uint32_t* hosts,
                                           std::uint32_t* networks) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t more = mix(mix(d.keys[1] + sequences[i]));
        hosts[i] = low_half(more) & d.host_mask;
        networks[i] = spread(high_half(more), d.networks);
    }
}

XLATPERF_VECTOR_CLONES void psids_of(const Fixed& fixed, const std::uint64_t* numbers, unsigned n, std::uint32_t* psids) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) psids[i] = d.psid | (low_half(numbers[i]) & d.psid_mask);
}

// As Subscribers::port.
XLATPERF_VECTOR_CLONES void place_ports(const Fixed& fixed, const Draws& draws, unsigned n, std::uint32_t* ports) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint32_t number = spread(draws.own_random[i], d.own_ports);
        std::uint32_t port = d.first_own_port + number;
        if (!d.all_ports) {
            port = ((number >> d.contiguous_bits) + d.first_block) << d.block_shift | draws.psid[i] << d.contiguous_bits |
                   (number & ((1U << d.contiguous_bits) - 1));
            port = port == 0 ? d.instead_of_0 : port;
        }
        const std::uint32_t own = wire::network16(static_cast<std::uint16_t>(port)), other = draws.other_port[i];
        ports[i] = d.sends ? own | other << 16 : other | own << 16;
    }
}

}  // namespace

bool SubscriberBurst::suits(const SubscriberFlows& flows) {
    return !flows.pairs && flows.subscribers->domains() == 1 && flows.own_ports.drawn() && flows.other_ports.drawn();
}

SubscriberBurst::SubscriberBurst(const SubscriberFlows& flows) : subscribers_(flows.subscribers) {
    const auto& rule = subscribers_->rule(0);
    const PortSet ports = rule.ports(0);
    fixed_.keys = flows.keys;
    fixed_.subscribers = subscribers_->count();
    fixed_.networks = flows.networks;
    fixed_.host_mask = static_cast<std::uint32_t>((std::uint64_t{1} << rule.host_bits) - 1);
    fixed_.first_other_port = flows.other_ports.first();
    fixed_.other_ports = flows.other_ports.drawn_from();
    fixed_.sends = flows.send;
    fixed_.all_ports = rule.all_ports();
    fixed_.first_own_port = flows.own_ports.first();
    fixed_.own_ports = flows.own_ports.drawn_from();
    if (fixed_.all_ports) return;
    fixed_.own_ports = flows.own_ports.order() == Order::fixed ? 1 : ports.ports();
    fixed_.first_block = ports.psid_offset() == 0 ? 0 : 1;
    fixed_.contiguous_bits = 16 - ports.psid_offset() - ports.psid_length();
    fixed_.block_shift = 16 - ports.psid_offset();
    fixed_.psid_mask = (1U << rule.psid_bits) - 1;
    fixed_.psid = rule.psid;
    fixed_.instead_of_0 = ports.ports() > 1 ? 1 : 0;
}

void SubscriberBurst::draw(const std::uint64_t* sequences, unsigned n, FlowBurst& found) const {
    const auto& domain = subscribers_->domain(0);
    Draws draws;
    std::uint64_t* who = found.key.data();  // of the first domain: packed, a number is itself
    draw_who(fixed_, sequences, n, who, draws);
    if (domain.rule.table) {
        for (unsigned i = 0; i < n; ++i) domain.rule.prefetch(who[i]);
    } else {
        permute(domain.order, who, n);
        if (domain.from != 0 || domain.rule.first_psid != 0)
            for (unsigned i = 0; i < n; ++i) who[i] = domain.number(who[i]);
        psids_of(fixed_, who, n, draws.psid.data());
    }
    auto& own = fixed_.sends ? found.source_network : found.destination_network;
    auto& other = fixed_.sends ? found.destination_network : found.source_network;
    if (fixed_.networks > 1 || fixed_.host_mask != 0) {
        draw_addresses(fixed_, sequences, n, own.data(), other.data());
    } else {
        clear(own.data(), n);
        clear(other.data(), n);
    }
    clear(found.gateway.data(), n);
    if (domain.rule.table)
        for (unsigned i = 0; i < n; ++i) draws.psid[i] = domain.rule.psid_of(who[i]);
    place_ports(fixed_, draws, n, found.ports.data());
}

}  // namespace xlatperf::flow
