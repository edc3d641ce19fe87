// Explicit address mappings (RFC 7757).
#pragma once

#include <optional>
#include <vector>

#include "wire/address.h"

namespace xlatperf::technology {

/// One row of an Explicit Address Mapping Table (RFC 7757 §3.1).
struct AddressMapping {
    wire::Ipv4Prefix ipv4;
    wire::Ipv6Prefix ipv6;

    /// RFC 7757 §3.1: the IPv4 suffix must fit into the IPv6 suffix.
    bool fits() const { return 32 - ipv4.length <= 128 - ipv6.length; }
};

class AddressMappingTable {
  public:
    AddressMappingTable() = default;
    explicit AddressMappingTable(std::vector<AddressMapping> rows) : rows_(std::move(rows)) {}

    /// RFC 7757 §3.3.1: longest match on the IPv4 prefix, whose bits are replaced by the IPv6 prefix; the suffix follows
    /// the prefix immediately and is padded with zeros on the right.
    std::optional<wire::Ipv6Address> to_ipv6(wire::Ipv4Address address) const;

    /// RFC 7757 §3.3.2: the inverse, longest match on the IPv6 prefix.
    std::optional<wire::Ipv4Address> to_ipv4(wire::Ipv6Address address) const;

    bool empty() const { return rows_.empty(); }

  private:
    std::vector<AddressMapping> rows_;
};

}  // namespace xlatperf::technology
