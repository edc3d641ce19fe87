// The addresses and ports that stand for the clients outside, and which of them a new mapping gets.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "nat/table.h"

namespace xlatperf::reference {

/// Its endpoints are numbered 0, 1, 2 ...: all ports of the first address, then those of the second.
struct Pool {
    wire::Family family = wire::Family::ipv4;
    wire::Bits128 first = 0;
    std::uint32_t addresses = 1;
    std::uint16_t first_port = 1024, last_port = 65535;
    /// Of these ports only those of one who shares the address with others (RFC 7597 §5.1): behind `psid_offset` bits, which
    /// aren't all zero if there are any, a PSID of so many.
    unsigned psid_offset = 0, psid_length = 0;
    std::uint16_t psid = 0;

    /// Of each address.
    std::uint32_t ports() const { return rank_below(last_port + 1u) - rank_below(first_port); }
    std::uint64_t size() const { return std::uint64_t{addresses} * ports(); }
    bool contains(wire::Bits128 address) const { return address - first < addresses; }
    bool contains_port(std::uint16_t port) const {
        return port >= first_port && port <= last_port && rank_below(port + 1u) != rank_below(port);
    }
    bool contains(const Endpoint& e) const { return contains(e.address) && contains_port(e.port); }
    Endpoint endpoint(std::uint32_t number) const {
        return {first + number / ports(), port_of_rank(rank_below(first_port) + number % ports())};
    }
    std::uint32_t number(const Endpoint& e) const {
        return static_cast<std::uint32_t>(e.address - first) * ports() + port_number(e.port);
    }
    /// Of a port that it contains.
    std::uint32_t port_number(std::uint16_t port) const { return rank_below(port) - rank_below(first_port); }

  private:
    // A port is A, PSID and j, `psid_offset`, `psid_length` and m bits wide; those of one PSID are in order of A and j.
    unsigned m() const { return 16 - psid_offset - psid_length; }
    /// How many of all ports below this one have the PSID.
    std::uint32_t rank_below(std::uint32_t port) const {
        const std::uint32_t in_a_row = 1u << m(), own = psid * in_a_row;
        const std::uint32_t block = port >> (m() + psid_length), within = port - (block << (m() + psid_length));
        const std::uint32_t rank = block * in_a_row + (within <= own ? 0 : std::min(within - own, in_a_row));
        const std::uint32_t excluded = psid_offset == 0 ? 0 : in_a_row;  // A = 0
        return rank < excluded ? 0 : rank - excluded;
    }
    std::uint16_t port_of_rank(std::uint32_t rank) const {
        const std::uint32_t block = (rank >> m()) + (psid_offset == 0 ? 0 : 1);
        return static_cast<std::uint16_t>(block << (m() + psid_length) | std::uint32_t{psid} << m() | (rank & ((1u << m()) - 1)));
    }
};

/// All ports that one who shares an address with others may use; a PSID of no bits: all there are. 0 is none (RFC 768).
inline Pool pool_of_one(wire::Ipv4Address address, unsigned psid_offset, unsigned psid_length, std::uint16_t psid) {
    Pool pool;
    pool.first = address.value;
    pool.first_port = 1;
    if (psid_length == 0) return pool;
    pool.psid_offset = psid_offset;
    pool.psid_length = psid_length;
    pool.psid = psid;
    return pool;
}

/// A client's mappings have one address as long as it has free ports (RFC 4787 REQ-2), and its own port where that's free
/// (REQ-3); else the next free port after the last one that was given. Mappings that serve one destination only may have the
/// same endpoint if their destinations differ, so ports are counted for each destination.
class PoolUse {
  public:
    /// `destinations`: whether there is more than one to be told apart.
    PoolUse(const Pool& pool, std::uint32_t entries, bool destinations);

    /// Nothing if all endpoints are in use. The caller adds the entry to the table.
    std::optional<std::uint32_t> allocate(const Table& table, const Endpoint& client, const Endpoint& remote, bool keep_port);
    void release(const Endpoint& remote, std::uint32_t number);
    void clear();

  private:
    struct Group {  // of one destination: an address, or all of them. No initializers: unused ones take no memory.
        wire::Bits128 remote_address;
        std::uint32_t address;
        std::uint32_t used;      // endpoints
        std::uint32_t next_try;  // a port; of all addresses: an address
        std::uint32_t released;  // the port that became free last
        Number next;
        std::uint16_t remote_port;
    };
    static constexpr std::uint32_t all_addresses = ~std::uint32_t{0};
    Pool pool_;
    std::unique_ptr<Group[]> groups_;
    Chains<Group, &Group::next> index_;
    Number ever_ = 0, unused_ = no_number;

    Number find(const Endpoint& remote, std::uint32_t address) const;
    Group& made(const Endpoint& remote, std::uint32_t address);
    void give_back(const Endpoint& remote, std::uint32_t address, std::uint32_t port);
    bool is_full(const Endpoint& remote, std::uint32_t address) const;
    std::uint32_t choose_address(const Endpoint& client, const Endpoint& remote);
    std::uint32_t choose_port(const Table& table, Group& group, const Endpoint& remote) const;
};

}  // namespace xlatperf::reference
