// The longest prefix that an address is in.
#pragma once

#include <algorithm>
#include <vector>

#include "wire/address.h"

namespace xlatperf::reference {

template <typename Address, typename Prefix, typename Value> class PrefixTable {
  public:
    /// What the prefix has: the value, or an earlier one.
    Value& add(const Prefix& prefix, const Value& value) {
        auto group = std::find_if(groups_.begin(), groups_.end(), [&](auto& g) { return g.length <= prefix.length; });
        if (group == groups_.end() || group->length != prefix.length) group = groups_.insert(group, Group{prefix.length, {}});
        const Entry entry{prefix.network(), value};
        auto at = lower(group->entries, entry.network);
        if (at == group->entries.end() || !(at->network == entry.network)) at = group->entries.insert(at, entry);
        return at->value;
    }
    const Value* find(Address address) const {
        for (const Group& group : groups_) {
            const Address network = Prefix{address, group.length}.network();
            const auto at = lower(group.entries, network);
            if (at != group.entries.end() && at->network == network) return &at->value;
        }
        return nullptr;
    }

  private:
    struct Entry {
        Address network;
        Value value;
    };
    struct Group {  // those of one prefix length, sorted
        unsigned length = 0;
        std::vector<Entry> entries;
    };
    std::vector<Group> groups_;  // the longest first

    template <typename Entries> static auto lower(Entries& entries, Address network) {
        return std::lower_bound(entries.begin(), entries.end(), network, [](const Entry& e, Address n) { return e.network < n; });
    }
};

}  // namespace xlatperf::reference
