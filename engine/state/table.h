// The Responder's state table (RFC 9693 §3.1, §4.10): what the DUT translated each connection's client to. Because the probe of
// every frame tells its connection, the table is an array: 8 bytes for each connection if the pool is IPv4, 20 if it is IPv6.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "flow/connections.h"
#include "wire/address.h"
#include "wire/prefetch.h"

namespace xlatperf::state {

/// A client as the DUT shows it: address as on the wire, of the pool's family, and port.
struct Mapping {
    std::uint8_t address[16] = {};
    std::uint16_t port = 0;
};

/// In which order the table is written (RFC 9693 §4.10). Connections are opened in their order, so round robin is their number.
enum class WriteOrder : std::uint8_t { round_robin, pseudorandom };
inline constexpr wire::Word<WriteOrder> write_order_words[] = {{"round_robin", WriteOrder::round_robin},
                                                               {"pseudorandom", WriteOrder::pseudorandom}};

/// What a mapping was, compared with what is known.
enum class Learnt : std::uint8_t { first, same, changed };

/// Receivers learn, senders read, in the same thread or in others: entries of an IPv4 pool are whole at any time; one of IPv6
/// that changes while it is read or learnt elsewhere, which a sane DUT never causes, gives one frame a wrong address.
class Table {
  public:
    /// Empty, for `connections`. Throws std::bad_alloc.
    Table(wire::Family pool_family, std::uint64_t connections, WriteOrder order, std::uint64_t seed);
    ~Table();
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    wire::Family family() const { return family_; }
    std::uint64_t connections() const { return connections_; }
    std::uint64_t learnt() const { return learnt_; }
    bool complete() const { return learnt_ == connections_; }
    static constexpr std::size_t bytes_per_connection(wire::Family family) { return family == wire::Family::ipv4 ? 8 : 20; }

    void prefetch(std::uint64_t connection) const {
        const std::uint8_t* at = entry(connection);
        wire::prefetch(at);
        if (family_ == wire::Family::ipv6) wire::prefetch(at + bytes_ - 1);  // which may be in two lines
    }

    /// Whether this is what is known of a connection, of a pool of this family.
    template <wire::Family family> bool knows(std::uint64_t connection, const std::uint8_t* address, std::uint16_t port) const {
        if constexpr (family == wire::Family::ipv4) return ipv4_client(connection) == ipv4_entry(address, port);
        return known_ipv6(entry(connection), address, port);
    }

    /// Compares, and remembers what is new.
    Learnt learn(std::uint64_t connection, const std::uint8_t* address, std::uint16_t port) {
        std::uint8_t* at = entry(connection);
        const Learnt found = family_ == wire::Family::ipv4 ? learn_ipv4(at, address, port) : learn_ipv6(at, address, port);
        if (found == Learnt::first) learnt_.store(learnt_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return found;
    }

    /// Counts anew what is known. Several receivers that learn at once don't count exactly.
    void recount();

    /// Of an IPv4 pool: the client's address as in memory, above it its port, and the highest bit; or zero, if nothing is known.
    std::uint64_t ipv4_client(std::uint64_t connection) const {
        return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(entry(connection)), __ATOMIC_RELAXED);
    }

    /// Of an IPv6 pool: the client's address, behind it its port, as `Mapping` has them; or null, if nothing is known.
    const std::uint8_t* ipv6_client(std::uint64_t connection) const {
        const std::uint8_t* at = entry(connection);
        return at[known_at] != 0 ? at : nullptr;
    }

    /// What is known of a connection, or false.
    bool read(std::uint64_t connection, Mapping& mapping) const {
        if (family_ == wire::Family::ipv4) {
            const std::uint64_t word = ipv4_client(connection);
            if ((word & known_bit) == 0) return false;
            const auto address = static_cast<std::uint32_t>(word);
            std::memcpy(mapping.address, &address, 4);
            mapping.port = static_cast<std::uint16_t>(word >> 32);
            return true;
        }
        const std::uint8_t* client = ipv6_client(connection);
        if (client == nullptr) return false;
        std::memcpy(mapping.address, client, 16);
        std::memcpy(&mapping.port, client + 16, 2);
        return true;
    }

    /// Where a connection's entry is among all (RFC 9693 §4.10: in which order the table is written).
    std::uint64_t slot(std::uint64_t connection) const {
        return order_ == WriteOrder::round_robin ? connection : slots_(connection);
    }

  private:
    static constexpr std::uint64_t known_bit = std::uint64_t{1} << 63;  // of an IPv4 entry: address, port, this
    static constexpr std::size_t known_at = 18;                         // of an IPv6 entry: address, port, this octet

    // The highest bit of an IPv4 entry, on this little endian machine, is in its last octet.
    bool is_known(const std::uint8_t* at) const { return at[family_ == wire::Family::ipv4 ? 7 : known_at] != 0; }
    std::uint8_t* entry(std::uint64_t connection) const { return entries_ + slot(connection) * bytes_; }
    static std::uint64_t ipv4_entry(const std::uint8_t* address, std::uint16_t port) {
        std::uint32_t bits;
        std::memcpy(&bits, address, 4);
        return known_bit | (std::uint64_t{port} << 32) | bits;
    }
    static bool known_ipv6(const std::uint8_t* at, const std::uint8_t* address, std::uint16_t port) {
        return at[known_at] != 0 && std::memcmp(at, address, 16) == 0 && std::memcmp(at + 16, &port, 2) == 0;
    }
    static Learnt learn_ipv4(std::uint8_t* at, const std::uint8_t* address, std::uint16_t port) {
        auto* word = reinterpret_cast<std::uint64_t*>(at);
        const std::uint64_t now = ipv4_entry(address, port);
        const std::uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
        if (before == now) return Learnt::same;
        __atomic_store_n(word, now, __ATOMIC_RELAXED);
        return (before & known_bit) == 0 ? Learnt::first : Learnt::changed;
    }
    static Learnt learn_ipv6(std::uint8_t* at, const std::uint8_t* address, std::uint16_t port) {
        if (known_ipv6(at, address, port)) return Learnt::same;
        const bool known = at[known_at] != 0;
        std::memcpy(at, address, 16);
        std::memcpy(at + 16, &port, 2);
        at[known_at] = 1;
        return known ? Learnt::changed : Learnt::first;
    }

    wire::Family family_;
    std::size_t bytes_;
    std::uint64_t connections_;
    std::atomic<std::uint64_t> learnt_ = 0;
    WriteOrder order_;
    flow::Permutation slots_;
    std::uint8_t* entries_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace xlatperf::state
