#include "flow/subscriber_burst.h"

#include "flow/drawing.h"
#include "flow/permuted.h"
#include "wire/clones.h"

namespace xlatperf::flow {

namespace {

using Fixed = SubscriberBurst::Fixed;

// What belongs to each frame, on the way to its flow.
struct Draws {
    alignas(64) OfBurst<std::uint64_t> own_random, other_port, psid;
};

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

XLATPERF_VECTOR_CLONES void draw_addresses(const Fixed& fixed, const std::uint64_t* sequences, unsigned n, std::uint64_t* hosts,
                                           std::uint64_t* networks) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t more = mix(mix(d.keys[1] + sequences[i]));
        hosts[i] = more & d.host_mask;
        networks[i] = spread_half(high_half(more), d.networks);
    }
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
XLATPERF_VECTOR_CLONES void place_any_ports(const Fixed& fixed, const Draws& draws, unsigned n, std::uint64_t* ports) {
    const Fixed d = fixed;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t own = port_in_memory(d.first_own_port + spread_half(draws.own_random[i], d.own_ports));
        const std::uint64_t other = draws.other_port[i];
        ports[i] = d.sends ? own | other << 16 : other | own << 16;
    }
}

// As Subscribers::port. `psids` has more above the PSID's bits.
XLATPERF_VECTOR_CLONES void place_ports(const Fixed& fixed, const Draws& draws, const std::uint64_t* psids, unsigned n,
                                        std::uint64_t* ports) {
    const Fixed d = fixed;
    const std::uint64_t contiguous = (std::uint64_t{1} << d.contiguous_bits) - 1;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t number = spread_half(draws.own_random[i], d.own_ports), psid = d.psid | (psids[i] & d.psid_mask);
        const std::uint64_t port =
            ((number >> d.contiguous_bits) + d.first_block) << d.block_shift | psid << d.contiguous_bits | (number & contiguous);
        const std::uint64_t own = port_in_memory(port == 0 ? d.instead_of_0 : port), other = draws.other_port[i];
        ports[i] = d.sends ? own | other << 16 : other | own << 16;
    }
}

}  // namespace

bool SubscriberBurst::suits(const SubscriberFlows& flows) {
    return flows.subscribers->domains() == 1 && flows.own_ports.drawn() && flows.other_ports.drawn();
}

SubscriberBurst::SubscriberBurst(const SubscriberFlows& flows) : subscribers_(flows.subscribers), beginnings_(flows.beginnings) {
    const auto& rule = subscribers_->rule(0);
    const PortSet ports = rule.ports(0);
    fixed_.keys = flows.keys;
    fixed_.from = subscribers_->domain(0).from;
    fixed_.first_psid = rule.first_psid;
    // Where those below the first can't be had, the number is taken apart; else it stays whole.
    fixed_.psid_bits = rule.first_psid == 0 ? 0 : rule.psid_bits;
    fixed_.psids = Digit(rule.first_psid == 0 ? 1 : subscribers_->domain(0).psids.divisor());
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
    fixed_.psid_mask = rule.table ? 0xffff : (1U << rule.psid_bits) - 1;
    fixed_.psid = rule.table ? 0 : rule.psid;
    fixed_.instead_of_0 = ports.ports() > 1 ? 1 : 0;
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
    Draws draws;
    std::uint64_t* who = found.subscriber.data();  // of the first domain: packed, a number is itself
    draw_who(fixed_, subscribers, sequences, n, who, draws);
    if (domain.rule.table) {
        for (unsigned i = 0; i < n; ++i) domain.rule.prefetch(who[i]);
    } else {
        permute(domain.order, who, n);
        if (domain.from != 0 || domain.rule.first_psid != 0) to_numbers(fixed_, n, who);
    }
    auto& own = fixed_.sends ? found.source_network : found.destination_network;
    auto& other = fixed_.sends ? found.destination_network : found.source_network;
    if (fixed_.networks > 1 || fixed_.host_mask != 0) {
        draw_addresses(fixed_, sequences, n, own.data(), other.data());
    } else {
        clear(own.data(), n);
        clear(other.data(), n);
    }
    if (fixed_.all_ports) return place_any_ports(fixed_, draws, n, found.ports.data());
    if (domain.rule.table) {
        clear(draws.psid.data(), n);
        for (unsigned i = 0; i < n; ++i) draws.psid[i] = domain.rule.psid_of(who[i]);
    }
    place_ports(fixed_, draws, domain.rule.table ? draws.psid.data() : who, n, found.ports.data());
}

}  // namespace xlatperf::flow
