// The fields of IP headers that technologies have rules about (technology/arriving.h): where each is, what it's called, and what
// a frame is that breaks its rule.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "counter/counters.h"
#include "technology/arriving.h"
#include "wire/byte_order.h"

namespace xlatperf::frame {

using counter::Reason;
using technology::Arriving;

struct RuledField {
    std::string_view name;
    technology::FieldRule Arriving::*rule;
    Reason reason;
    std::size_t word;    ///< the 32 bits that it's in, from the header's first byte
    std::uint32_t mask;  ///< its bits of these
    int hex_digits = 0;  ///< 0: people write it as a decimal number

    std::uint32_t value(const std::uint8_t* header) const {
        return (wire::load32(header + word) & mask) >> std::countr_zero(mask);
    }
    std::string text(std::uint32_t value) const;
};

/// RFC 8200 §3, of a tunnel's header.
inline constexpr std::array outer_fields = {
    RuledField{"outer hop limit", &Arriving::outer_hop_limit, Reason::hop_limit, 4, 0x000000ff},
    RuledField{"outer traffic class", &Arriving::outer_traffic_class, Reason::traffic_class, 0, 0x0ff00000, 2},
    RuledField{"outer flow label", &Arriving::outer_flow_label, Reason::flow_label, 0, 0x000fffff, 5},
};
/// RFC 791 §3.1.
inline constexpr std::array ipv4_fields = {
    RuledField{"TTL", &Arriving::hop_limit, Reason::hop_limit, 8, 0xff000000},
    RuledField{"type of service", &Arriving::traffic_class, Reason::traffic_class, 0, 0x00ff0000, 2},
    RuledField{"DF", &Arriving::dont_fragment, Reason::dont_fragment, 4, 0x00004000},
    RuledField{"other flags and fragment offset", &Arriving::fragmentation, Reason::ip_header, 4, 0x0000bfff, 4},
    RuledField{"identification", &Arriving::identification, Reason::identification, 4, 0xffff0000, 4},
};
/// RFC 8200 §3.
inline constexpr std::array ipv6_fields = {
    RuledField{"hop limit", &Arriving::hop_limit, Reason::hop_limit, 4, 0x000000ff},
    RuledField{"traffic class", &Arriving::traffic_class, Reason::traffic_class, 0, 0x0ff00000, 2},
    RuledField{"flow label", &Arriving::flow_label, Reason::flow_label, 0, 0x000fffff, 5},
};

/// Whether frames are right whatever the field holds.
inline bool is_open(const RuledField& field, const Arriving& rules) {
    const auto rule = (rules.*field.rule).rule;
    return rule == technology::Rule::free || rule == technology::Rule::if_large;
}

}  // namespace xlatperf::frame
