// The fields of IP headers that all frames of a trial share: as they are sent, and as they must arrive.
#pragma once

#include <cstddef>
#include <cstdint>

#include "technology/arriving.h"

namespace xlatperf::frame {

/// Of either family; a header has those that it has room for.
struct HeaderFields {
    std::uint8_t traffic_class = 0, hop_limit = 10;
    bool dont_fragment = true;
    std::uint16_t identification = 0;
    std::uint32_t flow_label = 0;
    bool udp_checksum = true;  ///< there is one; over IPv6 always (RFC 8200 §8.1)

    bool operator==(const HeaderFields&) const = default;
};

/// What the rules make of the fields of a packet that was sent with `sent`. It arrives with so many `bytes`, after so many hops.
HeaderFields arriving_fields(const HeaderFields& sent, const technology::Arriving& rules, std::size_t bytes, std::size_t hops);

}  // namespace xlatperf::frame
