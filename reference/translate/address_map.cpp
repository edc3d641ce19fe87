#include "translate/address_map.h"

#include <algorithm>
#include <array>

#include "wire/rfc6052.h"

namespace xlatperf::reference {

using namespace wire;

namespace {
constexpr Ipv4Prefix block(unsigned a, unsigned b, unsigned c, unsigned length) {
    return {{(a << 24) | (b << 16) | (c << 8)}, length};
}
constexpr std::array not_global = {
    block(0, 0, 0, 8),       block(10, 0, 0, 8),     block(100, 64, 0, 10), block(127, 0, 0, 8),    block(169, 254, 0, 16),
    block(172, 16, 0, 12),   block(192, 0, 0, 24),   block(192, 0, 2, 24),  block(192, 168, 0, 16), block(198, 18, 0, 15),
    block(198, 51, 100, 24), block(203, 0, 113, 24), block(224, 0, 0, 4),   block(240, 0, 0, 4),
};
constexpr Ipv6Prefix well_known_prefix{{Bits128{0x0064ff9b} << 96}, 96};  // RFC 6052 §2.1
}  // namespace

bool is_global(Ipv4Address address) {
    return std::none_of(not_global.begin(), not_global.end(), [&](const Ipv4Prefix& p) { return p.contains(address); });
}

AddressMap::AddressMap(std::optional<Ipv6Prefix> prefix, std::vector<Eam> table)
    : prefix_(prefix), by_ipv4_(table), by_ipv6_(std::move(table)) {
    if (prefix_) well_known_ = prefix_->length == 96 && prefix_->network() == well_known_prefix.address;
    std::stable_sort(by_ipv4_.begin(), by_ipv4_.end(), [](auto& a, auto& b) { return a.ipv4.length > b.ipv4.length; });
    std::stable_sort(by_ipv6_.begin(), by_ipv6_.end(), [](auto& a, auto& b) { return a.ipv6.length > b.ipv6.length; });
}

// RFC 7757 §3.3: the suffix goes right behind the other family's prefix; what's left of the 128 bits is zero.
std::optional<Ipv6Address> AddressMap::to_ipv6(Ipv4Address address) const {
    for (const Eam& row : by_ipv4_) {
        if (!row.ipv4.contains(address)) continue;
        const unsigned suffix_bits = 32 - row.ipv4.length;
        const Bits128 suffix = address.value - row.ipv4.network().value;
        return Ipv6Address{row.ipv6.network().value | (suffix << (128 - row.ipv6.length - suffix_bits))};
    }
    if (!prefix_ || (well_known_ && !is_global(address))) return {};
    return rfc6052::embed(*prefix_, address);
}

std::optional<Ipv4Address> AddressMap::to_ipv4(Ipv6Address address) const {
    for (const Eam& row : by_ipv6_) {
        if (!row.ipv6.contains(address)) continue;
        const unsigned suffix_bits = 32 - row.ipv4.length;
        const Bits128 suffix = (address.value - row.ipv6.network().value) >> (128 - row.ipv6.length - suffix_bits);
        return Ipv4Address{row.ipv4.network().value | static_cast<std::uint32_t>(suffix)};
    }
    if (!prefix_) return {};
    const auto found = rfc6052::extract(*prefix_, address);
    if (found && well_known_ && !is_global(*found)) return {};
    return found;
}

}  // namespace xlatperf::reference
