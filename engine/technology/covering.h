// A few prefixes in place of a long list of addresses, for what a DUT must route.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "wire/address.h"

namespace xlatperf::technology {

inline constexpr std::size_t most_prefixes = 64;

/// The longest prefix that holds both of two numbers, and so all between them.
template <typename P> P prefix_of(wire::Bits128 low, wire::Bits128 high) {
    P prefix;
    prefix.length = P::bits;
    for (wire::Bits128 differ = low ^ high; differ != 0; differ >>= 1) --prefix.length;
    prefix.address.value = static_cast<decltype(prefix.address.value)>(low);
    prefix.address = prefix.network();
    return prefix;
}

/// Prefixes that hold all of some numbers: at most `most_prefixes`, each of at least `wanted` bits if that's enough.
template <typename P> std::vector<P> covering(std::vector<wire::Bits128> numbers, unsigned wanted) {
    std::sort(numbers.begin(), numbers.end());
    struct Part {
        std::size_t first, end;
        P prefix;
    };
    const auto part = [&](std::size_t first, std::size_t end) {
        return Part{first, end, prefix_of<P>(numbers[first], numbers[end - 1])};
    };
    std::vector<Part> parts = {part(0, numbers.size())};
    while (parts.size() < most_prefixes) {
        const auto widest = std::min_element(parts.begin(), parts.end(),
                                             [](const Part& a, const Part& b) { return a.prefix.length < b.prefix.length; });
        if (widest->prefix.length >= wanted) break;
        const Part whole = *widest;
        const auto bit = static_cast<wire::Bits128>(1) << (P::bits - 1 - whole.prefix.length);
        const auto from = numbers.begin() + static_cast<std::ptrdiff_t>(whole.first);
        const auto middle =
            static_cast<std::size_t>(std::partition_point(from, numbers.begin() + static_cast<std::ptrdiff_t>(whole.end),
                                                          [&](wire::Bits128 one) { return (one & bit) == 0; }) -
                                     numbers.begin());
        *widest = part(whole.first, middle);
        parts.push_back(part(middle, whole.end));
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.first < b.first; });
    std::vector<P> found;
    for (const Part& one : parts) found.push_back(one.prefix);
    return found;
}

template <typename P> std::vector<std::string> texts(const std::vector<P>& prefixes) {
    std::vector<std::string> found;
    for (const P& one : prefixes) found.push_back(wire::to_text(one));
    return found;
}

}  // namespace xlatperf::technology
