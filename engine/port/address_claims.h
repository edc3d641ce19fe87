// Who says on one link, by ARP or Neighbor Discovery, that an address is its own: if two do, frames go astray, and what is lost
// is nobody's (RFC 5227 §1, RFC 4862 §5.4).
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "wire/ethernet.h"

namespace xlatperf::port {

/// One address and several stations, or one of the Tester's that another station claims.
struct AddressConflict {
    std::string address;
    bool own;  ///< the Tester's, or a simulated host's; else the DUT's
    std::vector<wire::Mac> stations;

    /// One line, without the port.
    std::string text() const;
};

/// Noted on one thread, read on others.
class AddressClaims {
  public:
    /// `own`: another station claims an address of ours.
    void note(const std::string& address, bool own, const wire::Mac& station);
    void forget();
    std::vector<AddressConflict> conflicts() const;

  private:
    static constexpr std::size_t most_addresses = 8, most_stations = 8;  // a flood of claims must not fill the memory

    mutable std::mutex mutex_;
    std::vector<AddressConflict> claimed_;  // also those of one station
};

}  // namespace xlatperf::port
