// The binding table of Lw4o6 (RFC 7596 §6.1): which IPv6 address, public IPv4 address and port set each lwB4 has, and which
// lwAFTR it belongs to. It is generated from three parameters, or read from a file.
#pragma once

#include <string>
#include <vector>

#include "technology/kind.h"

namespace xlatperf::technology {

struct Softwires {
    std::vector<flow::Subscribers::Domain> domains;  ///< those with the same lwAFTR and the same bits for the PSID together
    std::vector<wire::Ipv6Address> lwaftrs;          ///< of each domain
    std::vector<std::string> ipv6, ipv4;             ///< prefixes that hold all lwB4s' addresses, and all public ones
};

/// `technology.softwires`. Throws message::MessageError.
Softwires read_softwires(Request& request);

/// The same, where the DUT is the lwB4 of one softwire. Throws message::MessageError if it isn't said of which.
Softwires read_softwire(Request& request);

/// The technology's binding table as a file that `read_softwires` takes: all that are simulated, in the order of their addresses.
/// Returns how many. Throws message::MessageError.
std::uint32_t write_softwires(const Technology& technology, const std::string& path);

}  // namespace xlatperf::technology
