// The binding table of Lw4o6 (RFC 7596 §6.1): softwires, found by the lwB4's IPv6 address, and by public IPv4 address and port.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "nat/chains.h"
#include "wire/address.h"

namespace xlatperf::reference {

struct Softwire {
    wire::Ipv6Address lwb4, lwaftr;
    wire::Ipv4Address ipv4;
    std::uint16_t psid = 0;
    std::uint8_t psid_offset = 0, psid_length = 0;
    Number next = no_number;  ///< of those whose lwB4's address has the same hash

    /// RFC 7597 §5.1: A, PSID and j. With an offset A = 0 is nobody's.
    bool has(std::uint16_t port) const;
    bool is_shared() const { return psid_length > 0; }
};

class BindingTable {
  public:
    BindingTable() : BindingTable(std::vector<Softwire>{}) {}
    /// A file of comma-separated values, with their names in the first line: ipv6, ipv4, psid_offset, psid_length, psid, lwaftr.
    /// Throws std::runtime_error, whose `what()` is one line.
    static BindingTable read(const std::string& path);

    const std::vector<Softwire>& softwires() const { return softwires_; }
    /// The first one of an lwB4; nullptr: it has none.
    const Softwire* find(wire::Ipv6Address lwb4) const;
    /// Of an lwB4 the softwire with an address and a port, else one with the address, else its `first`.
    const Softwire& nearest(const Softwire& first, wire::Ipv4Address address, std::uint16_t port) const;
    /// Whether somebody has the address, whatever the port.
    bool has(wire::Ipv4Address address) const { return by_ipv4_.contains(address.value); }
    /// Who has a port of an address; nullptr: nobody.
    const Softwire* find(wire::Ipv4Address address, std::uint16_t port) const;
    /// Somebody who has the address; there is one.
    const Softwire* any(wire::Ipv4Address address) const {
        return &softwires_[sorted_[by_ipv4_.find(address.value)->second.first]];
    }
    bool is_lwaftr(wire::Ipv6Address address) const;

  private:
    /// Part of `sorted_`.
    struct Part {
        std::uint32_t first = 0, count = 0;
    };
    explicit BindingTable(std::vector<Softwire> softwires);
    void index_by_lwb4();
    void sort_by_ipv4();

    std::vector<Softwire> softwires_;
    std::vector<wire::Ipv6Address> lwaftrs_;
    Chains<Softwire, &Softwire::next> by_lwb4_;
    std::vector<Number> sorted_;  // by IPv4 address, then by PSID
    std::unordered_map<std::uint32_t, Part> by_ipv4_;
    bool several_ = false;  // an lwB4 has more than one
};

}  // namespace xlatperf::reference
