#include "nat/table.h"

namespace xlatperf::reference {

namespace {
std::uint64_t inside_hash(const Endpoint& client, const Endpoint& remote) { return hash_of(remote, hash_of(client)); }
std::uint64_t outside_hash(std::uint32_t pool, const Endpoint& remote) { return hash_of(remote, mixed(pool + 1ULL)); }
}  // namespace

Table::Table(std::uint32_t capacity)
    : capacity_(capacity), entries_(std::make_unique<Entry[]>(capacity)), inside_(capacity), outside_(capacity) {}

Number Table::find_inside(const Endpoint& client, const Endpoint& remote) const {
    return inside_.find(entries_.get(), inside_hash(client, remote),
                        [&](const Entry& e) { return e.client() == client && e.remote() == remote; });
}

Number Table::find_outside(std::uint32_t pool, const Endpoint& remote) const {
    return outside_.find(entries_.get(), outside_hash(pool, remote),
                         [&](const Entry& e) { return e.pool == pool && e.remote() == remote; });
}

Number Table::add(const Endpoint& client, const Endpoint& remote, std::uint32_t pool, bool shares, std::uint64_t now_ns) {
    Number number = unused_;
    if (number != no_number)
        unused_ = entries_[number].newer;
    else
        number = ever_++;
    if (++serial_ == 0) ++serial_;
    Entry& entry = entries_[number];
    entry.client_address = client.address;
    entry.client_port = client.port;
    entry.remote_address = remote.address;
    entry.remote_port = remote.port;
    entry.pool = entry.first_pool = pool;
    entry.serial = serial_;
    entry.shares = shares;
    entry.used_ns = now_ns;
    inside_.insert(entries_.get(), inside_hash(client, remote), number);
    if (!shares) outside_.insert(entries_.get(), outside_hash(pool, remote), number);
    append(number);
    ++size_;
    return number;
}

void Table::remove(Number number) {
    Entry& entry = entries_[number];
    inside_.erase(entries_.get(), inside_hash(entry.client(), entry.remote()), number);
    if (!entry.shares) outside_.erase(entries_.get(), outside_hash(entry.pool, entry.remote()), number);
    take_out(number);
    entry.serial = 0;
    entry.newer = unused_;
    unused_ = number;
    --size_;
}

void Table::use(Number number, std::uint64_t now_ns) {
    entries_[number].used_ns = now_ns;
    if (number == newest_) return;
    take_out(number);
    append(number);
}

void Table::change(Number number, std::uint32_t pool) {
    Entry& entry = entries_[number];
    if (!entry.shares) outside_.erase(entries_.get(), outside_hash(entry.pool, entry.remote()), number);
    entry.pool = pool;
    entry.shares = false;
    outside_.insert(entries_.get(), outside_hash(pool, entry.remote()), number);
}

void Table::clear() {
    inside_.clear();
    outside_.clear();
    oldest_ = newest_ = unused_ = no_number;
    size_ = ever_ = 0;
}

void Table::append(Number number) {
    Entry& entry = entries_[number];
    entry.older = newest_;
    entry.newer = no_number;
    (newest_ == no_number ? oldest_ : entries_[newest_].newer) = number;
    newest_ = number;
}

void Table::take_out(Number number) {
    const Entry& entry = entries_[number];
    (entry.older == no_number ? oldest_ : entries_[entry.older].newer) = entry.newer;
    (entry.newer == no_number ? newest_ : entries_[entry.newer].older) = entry.older;
}

}  // namespace xlatperf::reference
