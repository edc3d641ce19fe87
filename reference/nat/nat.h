// Stateful translation of addresses and ports of UDP (RFC 4787, RFC 6146): who is mapped to what, for how long.
#pragma once

#include <vector>

#include "nat/faults.h"
#include "nat/pool.h"
#include "translate/fate.h"

namespace xlatperf::reference {

/// What a new connection does to a full table (RFC 9693 §4.9).
enum class WhenFull : std::uint8_t {
    refuse,               // it's dropped
    least_recently_used,  // it takes the place of the entry that was used longest ago
    collect               // so do several entries at once
};

inline constexpr std::uint32_t most_entries = 4'000'000;  // about 100 bytes each

struct NatSettings {
    wire::Family inside = wire::Family::ipv4;  // the clients'; the pool has the family outside
    Pool pool;
    bool endpoint_independent = true;  // one mapping serves all destinations (RFC 4787 REQ-1); else each has its own
    std::uint32_t entries = 65536;
    WhenFull when_full = WhenFull::refuse;
    std::uint32_t collect = 1;                   // entries that go at once
    std::uint64_t timeout_ns = 300'000'000'000;  // RFC 4787 REQ-5, RFC 6146 §4
    std::uint32_t most_of_group = 0;             // entries of one group of clients; 0: no limit (RFC 6888 REQ-4)
};

struct NatCounters {
    std::uint64_t created = 0, expired = 0, replaced = 0, cleared = 0;  // entries
    std::uint64_t refused = 0, exhausted = 0;                           // packets: the table is full, the pool has no port
    std::uint64_t limited = 0;                                          // packets: their group has as many as it may have
    // Faults: mappings, then packets that left with another mapping than their connection's first one; packets.
    std::uint64_t changed_mapping = 0, changed_packets = 0, shared_mapping = 0, outside_pool = 0, not_applicable = 0;
};

struct Mapped {
    Fate fate = Fate::forwarded;
    Endpoint endpoint;
};

class Nat {
  public:
    /// A client's group, where they have one, is above these bits of its address.
    static constexpr unsigned group_shift = 32;

    explicit Nat(const NatSettings& settings);

    const NatSettings& settings() const { return settings_; }
    const Pool& pool() const { return settings_.pool; }
    const Table& table() const { return table_; }
    const NatCounters& counters() const { return counters_; }

    /// The source that the packet gets, or why it's dropped. Opens a connection if need be.
    Mapped outbound(const Endpoint& client, const Endpoint& remote, std::uint64_t now_ns);
    /// The client that the packet is for. Anybody may send to an endpoint-independent mapping (RFC 4787 §5).
    Mapped inbound(const Endpoint& to, const Endpoint& remote, std::uint64_t now_ns);
    /// Deletes what has expired, some of it at a time.
    void poll(std::uint64_t now_ns) { expire(now_ns, 256); }
    /// Deletes all entries; says how many they were.
    std::uint32_t clear();
    /// The same, with a new table that has room for so many.
    std::uint32_t clear(std::uint32_t entries);
    void set_faults(const Plan& plan) { faults_.set(plan); }
    void reset_counters() { counters_ = {}; }

  private:
    NatSettings settings_;
    Table table_;
    PoolUse use_;
    MappingFaults faults_;
    NatCounters counters_;
    std::vector<std::uint32_t> of_group_;  // entries, if they are limited

    bool is_expired(Number number, std::uint64_t now_ns) const { return now_ns >= table_[number].used_ns + settings_.timeout_ns; }
    void expire(std::uint64_t now_ns, std::uint32_t most);
    void remove(Number number);
    bool make_room(std::uint64_t now_ns);
    /// An entry for a new connection, or no_number: the pool has no endpoint left. There must be room.
    Number open(const Endpoint& client, const Endpoint& remote, bool share, std::uint64_t now_ns);
    bool change(Number number);
    std::uint32_t& of_group(const Endpoint& client);
    /// How the table knows destinations.
    Endpoint in_table(const Endpoint& remote) const { return settings_.endpoint_independent ? Endpoint{} : remote; }
};

}  // namespace xlatperf::reference
