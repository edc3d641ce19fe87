#include "technology/eam.h"

namespace xlatperf::technology {

std::optional<wire::Ipv6Address> AddressMappingTable::to_ipv6(wire::Ipv4Address address) const {
    const AddressMapping* best = nullptr;
    for (const auto& row : rows_) {
        if (row.ipv4.contains(address) && (best == nullptr || row.ipv4.length > best->ipv4.length)) best = &row;
    }
    if (best == nullptr) return {};
    const wire::Bits128 suffix = address.value - best->ipv4.network().value;
    const unsigned room = 128 - best->ipv6.length, suffix_bits = 32 - best->ipv4.length;
    return wire::Ipv6Address{best->ipv6.network().value | (suffix << (room - suffix_bits))};
}

std::optional<wire::Ipv4Address> AddressMappingTable::to_ipv4(wire::Ipv6Address address) const {
    const AddressMapping* best = nullptr;
    for (const auto& row : rows_) {
        if (row.ipv6.contains(address) && (best == nullptr || row.ipv6.length > best->ipv6.length)) best = &row;
    }
    if (best == nullptr) return {};
    const unsigned room = 128 - best->ipv6.length, suffix_bits = 32 - best->ipv4.length;
    const wire::Bits128 suffix = (address.value - best->ipv6.network().value) >> (room - suffix_bits);
    return wire::Ipv4Address{best->ipv4.network().value | static_cast<std::uint32_t>(suffix)};
}

}  // namespace xlatperf::technology
