// Which IPv6 address stands for an IPv4 address and back: explicit address mappings (RFC 7757), else a prefix (RFC 6052).
#pragma once

#include <optional>
#include <vector>

#include "wire/address.h"

namespace xlatperf::reference {

/// One row of the Explicit Address Mapping Table (RFC 7757 §3.1).
struct Eam {
    wire::Ipv4Prefix ipv4;
    wire::Ipv6Prefix ipv6;
};

class AddressMap {
  public:
    /// Each row's IPv4 suffix must be at most as long as its IPv6 suffix (RFC 7757 §3.2).
    AddressMap(std::optional<wire::Ipv6Prefix> prefix, std::vector<Eam> table);

    std::optional<wire::Ipv6Address> to_ipv6(wire::Ipv4Address address) const;
    std::optional<wire::Ipv4Address> to_ipv4(wire::Ipv6Address address) const;

    static bool suffixes_fit(const Eam& row) { return 32 - row.ipv4.length <= 128 - row.ipv6.length; }

  private:
    std::optional<wire::Ipv6Prefix> prefix_;
    bool well_known_ = false;
    std::vector<Eam> by_ipv4_, by_ipv6_;  // the longest prefix first: the first match is the longest
};

/// The Well-Known Prefix must not stand for these (RFC 6052 §3.1): anything that isn't a global address (RFC 6890).
bool is_global(wire::Ipv4Address address);

}  // namespace xlatperf::reference
