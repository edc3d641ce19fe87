#include "port/address_claims.h"

#include <algorithm>
#include <iterator>

namespace xlatperf::port {

std::string AddressConflict::text() const {
    std::string macs;
    for (const auto& station : stations) {
        const bool last = &station == &stations.back();
        macs += (macs.empty() ? "" : last ? " and " : ", ") + wire::to_text(station);
    }
    if (own) return macs + (stations.size() == 1 ? " says" : " say") + " that " + address + ", which is the Tester's, is its own";
    return std::to_string(stations.size()) + " stations say that they are " + address + ", the DUT: " + macs;
}

void AddressClaims::note(const std::string& address, bool own, const wire::Mac& station) {
    const std::lock_guard lock(mutex_);
    auto claim =
        std::find_if(claimed_.begin(), claimed_.end(), [&](const auto& one) { return one.address == address && one.own == own; });
    if (claim == claimed_.end()) {
        if (claimed_.size() == most_addresses) return;
        claim = claimed_.insert(claimed_.end(), {address, own, {}});
    }
    auto& stations = claim->stations;
    if (stations.size() < most_stations && std::find(stations.begin(), stations.end(), station) == stations.end())
        stations.push_back(station);
}

void AddressClaims::forget() {
    const std::lock_guard lock(mutex_);
    claimed_.clear();
}

std::vector<AddressConflict> AddressClaims::conflicts() const {
    const std::lock_guard lock(mutex_);
    std::vector<AddressConflict> found;
    std::copy_if(claimed_.begin(), claimed_.end(), std::back_inserter(found),
                 [](const auto& one) { return one.own || one.stations.size() > 1; });
    return found;
}

}  // namespace xlatperf::port
