// The connection tracking table (RFC 9693 §3): a fixed number of entries, found from either side, in order of their last use.
#pragma once

#include <memory>

#include "nat/chains.h"
#include "nat/endpoint.h"

namespace xlatperf::reference {

/// One mapping. `remote` is zero where the mapping serves all destinations (RFC 4787 §4.1).
struct Entry {
    wire::Bits128 client_address = 0, remote_address = 0;
    std::uint64_t used_ns = 0;
    std::uint32_t pool = 0, first_pool = 0;  // endpoints of the pool: the one it has, the one it began with
    Number older = no_number, newer = no_number, next_inside = no_number, next_outside = no_number;
    std::uint16_t client_port = 0, remote_port = 0;
    std::uint32_t serial = 0;  // tells entries of the same number apart; 0: there is none
    bool shares = false;       // its endpoint of the pool is another entry's, which gets the replies

    Endpoint client() const { return {client_address, client_port}; }
    Endpoint remote() const { return {remote_address, remote_port}; }
};

class Table {
  public:
    explicit Table(std::uint32_t capacity);

    std::uint32_t size() const { return size_; }
    std::uint32_t capacity() const { return capacity_; }
    const Entry& operator[](Number number) const { return entries_[number]; }

    /// no_number: there's none.
    Number find_inside(const Endpoint& client, const Endpoint& remote) const;
    /// Entries that share another one's endpoint aren't found.
    Number find_outside(std::uint32_t pool, const Endpoint& remote) const;
    /// The one that was used longest ago.
    Number oldest() const { return oldest_; }

    /// There must be room.
    Number add(const Endpoint& client, const Endpoint& remote, std::uint32_t pool, bool shares, std::uint64_t now_ns);
    void remove(Number number);
    void use(Number number, std::uint64_t now_ns);
    /// From now on it has an endpoint of its own.
    void change(Number number, std::uint32_t pool);
    /// Numbers and serials that are known elsewhere mean nothing any more.
    void clear();

  private:
    std::uint32_t capacity_, size_ = 0, ever_ = 0, serial_ = 0;  // ever: numbers that were in use since `clear`
    std::unique_ptr<Entry[]> entries_;
    Chains<Entry, &Entry::next_inside> inside_;
    Chains<Entry, &Entry::next_outside> outside_;
    Number oldest_ = no_number, newest_ = no_number, unused_ = no_number;

    void append(Number number);
    void take_out(Number number);
};

}  // namespace xlatperf::reference
