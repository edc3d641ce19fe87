// Which IPv6 address stands for an IPv4 address, and back, at one stateless translator (RFC 7915 §6): explicit address mappings
// (RFC 7757), else a translation prefix (RFC 6052).
#pragma once

#include <optional>

#include "message/fields.h"
#include "technology/eam.h"

namespace xlatperf::technology {

class AddressTranslation {
  public:
    AddressTranslation(std::optional<wire::Ipv6Prefix> prefix, AddressMappingTable mappings)
        : prefix_(prefix), mappings_(std::move(mappings)) {}

    /// RFC 7757 §3.2: longest match first, then RFC 6052. Nothing if neither covers it.
    std::optional<wire::Ipv6Address> to_ipv6(wire::Ipv4Address address) const;
    std::optional<wire::Ipv4Address> to_ipv4(wire::Ipv6Address address) const;

  private:
    std::optional<wire::Ipv6Prefix> prefix_;
    AddressMappingTable mappings_;
};

/// `prefix` and `eam` of a request. Throws message::MessageError.
AddressTranslation read_address_translation(message::Fields& fields);

}  // namespace xlatperf::technology
