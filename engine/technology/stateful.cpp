#include "technology/stateful.h"

#include <algorithm>

namespace xlatperf::technology {

namespace {

template <typename A> struct PrefixOf;
template <> struct PrefixOf<wire::Ipv4Address> { using Type = wire::Ipv4Prefix; };
template <> struct PrefixOf<wire::Ipv6Address> { using Type = wire::Ipv6Prefix; };

template <typename A> std::string prefix_text(A address, unsigned free_bits) {
    using Prefix = typename PrefixOf<A>::Type;
    return wire::to_text(Prefix{address, Prefix::bits - free_bits});
}

template <typename A> std::vector<std::string> prefixes_over(const flow::AddressRange<A>& range) {
    using Number = decltype(range.first.value);
    constexpr unsigned bits = PrefixOf<A>::Type::bits;
    std::vector<std::string> found;
    Number from = range.first.value;
    const Number to = range.last().value;
    if (range.step != 1 && range.addresses > 1) {
        unsigned free_bits = 0;
        while (free_bits < bits && (from >> free_bits) != (to >> free_bits)) ++free_bits;
        using Prefix = typename PrefixOf<A>::Type;  // whose network() also is right for length 0
        return {prefix_text(Prefix{range.first, bits - free_bits}.network(), free_bits)};
    }
    while (true) {  // the largest block that begins here and doesn't reach beyond the end
        unsigned free_bits = 0;
        const auto mask = [](unsigned n) { return static_cast<Number>((Number{1} << n) - 1); };
        while (free_bits + 1 < bits && (from & mask(free_bits + 1)) == 0 && to - from >= mask(free_bits + 1)) ++free_bits;
        found.push_back(prefix_text(A{from}, free_bits));
        if (to - from == mask(free_bits)) return found;
        from = static_cast<Number>(from + mask(free_bits) + 1);
    }
}

}  // namespace

std::vector<wire::Address> addresses(const Range& range) {
    std::vector<wire::Address> found;
    std::visit(
        [&](const auto& r) {
            found.reserve(r.addresses);
            for (std::uint32_t i = 0; i < r.addresses; ++i) found.emplace_back(r.address(i));
        },
        range);
    return found;
}

std::vector<std::string> covering_prefixes(const Range& range) {
    return std::visit([](const auto& r) { return prefixes_over(r); }, range);
}

Names Stateful::names(Side side, Side seen_from) const {
    if (side == Side::left && seen_from == Side::right) return std::vector<wire::Address>{pool_.first};
    auto found = technology::addresses(side == Side::left ? clients_ : servers_);
    if (side == Side::right) {
        std::transform(found.begin(), found.end(), found.begin(), [&](const wire::Address& a) { return server(a, seen_from); });
    }
    return found;
}

std::vector<std::string> Stateful::routes(Side side) const { return covering_prefixes(side == Side::left ? clients_ : servers_); }

}  // namespace xlatperf::technology
