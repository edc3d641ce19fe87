// Wrong mappings to order: which packets get one.
#pragma once

#include <vector>

#include "impair/plan.h"
#include "nat/table.h"

namespace xlatperf::reference {

/// What is wrong with one packet's mapping.
struct WrongMapping {
    bool change = false, share = false, outside_pool = false;
};

class MappingFaults {
  public:
    /// Positions begin at 1.
    void set(const Plan& plan);
    bool none() const { return none_; }
    /// For packet 1, 2, 3 ... of those that are translated outwards.
    WrongMapping next() { return {change_.next(), share_.next(), outside_pool_.next()}; }

    /// Another connection's entry that was used towards `remote`; no_number: none is known. Only asked with `share_mapping`.
    Number towards(const Endpoint& remote, const Table& table) const;
    /// The table was cleared.
    void forget() { last_.assign(last_.size(), {}); }
    void remember(const Endpoint& remote, Number number, const Table& table);

  private:
    static constexpr std::size_t remembered = 1u << 16;  // destinations; a later one may take an earlier one's place
    struct Last {
        Endpoint remote;
        Number number = no_number;
        std::uint32_t serial = 0;
    };
    bool none_ = true;
    Selector change_, share_, outside_pool_;
    std::vector<Last> last_;  // empty without `share_mapping`
};

}  // namespace xlatperf::reference
