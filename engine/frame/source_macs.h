// MAC addresses of simulated hosts: each source address has one of its own (RFC 4814 §4.2), as on a link with many hosts.
#pragma once

#include <cstdint>

#include "flow/direction.h"
#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::frame {

class SourceMacs {
  public:
    /// Of frames that leave the Tester on `side`. The same seed gives the same addresses in all trials (RFC 4814 §4.2.1).
    SourceMacs(flow::Side side, std::uint64_t seed)
        : interface_(static_cast<std::uint16_t>(flow::index(side) + 1)), seed_(seed) {}

    /// (RR & 0xFC):PP:PP:RR:RR:RR: R is pseudorandom, P the number of the Tester's interface, left is 1. Neither multicast nor
    /// locally administered. An IPv4 address is the low 32 bits.
    wire::Mac operator()(wire::Bits128 source) const;

    /// Into `frame`, whose addresses are written: for the source of its first IP header.
    void write(std::uint8_t* frame) const;

  private:
    std::uint16_t interface_;
    std::uint64_t seed_;
};

}  // namespace xlatperf::frame
