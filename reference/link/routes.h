// Where packets to an address go.
#pragma once

#include <optional>

#include "link/frame.h"
#include "link/prefix_table.h"

namespace xlatperf::reference {

/// `via` absent: the destination is on the link.
template <typename Address> struct NextHop {
    Side side = Side::left;
    std::optional<Address> via;
};

using Ipv4Routes = PrefixTable<wire::Ipv4Address, wire::Ipv4Prefix, NextHop<wire::Ipv4Address>>;
using Ipv6Routes = PrefixTable<wire::Ipv6Address, wire::Ipv6Prefix, NextHop<wire::Ipv6Address>>;

}  // namespace xlatperf::reference
