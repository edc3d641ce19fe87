#include "nat/faults.h"

namespace xlatperf::reference {

void MappingFaults::set(const Plan& plan) {
    none_ = plan.change_mapping.empty() && plan.share_mapping.empty() && plan.outside_pool.empty();
    change_ = Selector(plan.change_mapping);
    share_ = Selector(plan.share_mapping);
    outside_pool_ = Selector(plan.outside_pool);
    last_.clear();
    if (!plan.share_mapping.empty()) last_.resize(remembered);
}

Number MappingFaults::towards(const Endpoint& remote, const Table& table) const {
    const Last& last = last_[hash_of(remote) % remembered];
    if (last.number == no_number || last.remote != remote || table[last.number].serial != last.serial) return no_number;
    return last.number;
}

void MappingFaults::remember(const Endpoint& remote, Number number, const Table& table) {
    if (!last_.empty()) last_[hash_of(remote) % remembered] = {remote, number, table[number].serial};
}

}  // namespace xlatperf::reference
