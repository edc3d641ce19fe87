// What the headers of a packet must have when it comes out of the DUT, field by field. The rules stand beside the sections that
// they are from, in forwarded.h, translated.h and tunnelled.h; each technology says which of them hold for its packets.
#pragma once

#include <cstdint>
#include <string_view>

namespace xlatperf::technology {

enum class Rule : std::uint8_t {
    kept,         ///< as it was sent; in a header of the other family, what stands for it
    decremented,  ///< once by each hop that the DUT is
    zero,
    if_large,  ///< set in packets of more than 1260 bytes; what differs counts as right, and is told
    told,      ///< as the bench file says (traffic.tunnel)
    free,      ///< the DUT's choice
};

struct FieldRule {
    Rule rule = Rule::kept;
    std::string_view section = {};  ///< that says so

    bool operator==(const FieldRule&) const = default;
};

/// Of a packet, in a tunnel of the one inside, and of the outer header there.
struct Arriving {
    FieldRule hop_limit = {}, traffic_class = {};
    FieldRule identification = {}, dont_fragment = {}, fragmentation = {};  ///< of IPv4; `fragmentation`: MF and the offset
    FieldRule flow_label = {};                                              ///< of IPv6
    FieldRule outer_hop_limit = {}, outer_traffic_class = {}, outer_flow_label = {};  ///< in a tunnel

    /// Sections on what fits to the rest of the packet, whatever that is.
    std::string_view lengths = {}, udp_checksum = {}, header_checksum = {};

    bool computes_udp_checksum = false;  ///< of a packet that came without one; else it stays so

    bool operator==(const Arriving&) const = default;
};

/// Nobody touches it: what is sent into a loopback.
inline constexpr Arriving untouched = {};

}  // namespace xlatperf::technology
