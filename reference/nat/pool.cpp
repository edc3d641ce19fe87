#include "nat/pool.h"

#include <algorithm>

namespace xlatperf::reference {

namespace {
std::uint64_t group_hash(const Endpoint& remote, std::uint32_t address) { return hash_of(remote, mixed(address + 1ULL)); }
std::size_t most_groups(const Pool& pool, std::uint32_t entries, bool destinations) {
    // One for all addresses of a destination and one for each of its addresses in use; one of each while a mapping changes.
    return destinations ? 2 * std::size_t{entries} + 2 : std::size_t{std::min(pool.addresses, entries)} + 2;
}
}  // namespace

PoolUse::PoolUse(const Pool& pool, std::uint32_t entries, bool destinations)
    : pool_(pool),
      groups_(std::make_unique_for_overwrite<Group[]>(most_groups(pool, entries, destinations))),
      index_(most_groups(pool, entries, destinations)) {}

Number PoolUse::find(const Endpoint& remote, std::uint32_t address) const {
    return index_.find(groups_.get(), group_hash(remote, address), [&](const Group& g) {
        return g.address == address && g.remote_address == remote.address && g.remote_port == remote.port;
    });
}

PoolUse::Group& PoolUse::made(const Endpoint& remote, std::uint32_t address) {
    Number number = find(remote, address);
    if (number != no_number) return groups_[number];
    number = unused_;
    if (number != no_number)
        unused_ = groups_[number].next;
    else
        number = ever_++;
    groups_[number] = {remote.address, address, 0, 0, 0, no_number, remote.port};
    index_.insert(groups_.get(), group_hash(remote, address), number);
    return groups_[number];
}

void PoolUse::give_back(const Endpoint& remote, std::uint32_t address, std::uint32_t port) {
    const Number number = find(remote, address);
    Group& group = groups_[number];
    group.released = port;
    if (--group.used != 0) return;
    index_.erase(groups_.get(), group_hash(remote, address), number);
    group.next = unused_;
    unused_ = number;
}

void PoolUse::release(const Endpoint& remote, std::uint32_t number) {
    give_back(remote, number / pool_.ports(), number % pool_.ports());
    give_back(remote, all_addresses, 0);
}

void PoolUse::clear() {
    index_.clear();
    ever_ = 0;
    unused_ = no_number;
}

bool PoolUse::is_full(const Endpoint& remote, std::uint32_t address) const {
    const Number number = find(remote, address);
    return number != no_number && groups_[number].used == (address == all_addresses ? pool_.size() : pool_.ports());
}

/// One that isn't full; there is one.
std::uint32_t PoolUse::choose_address(const Endpoint& client, const Endpoint& remote) {
    const auto own = static_cast<std::uint32_t>(hash_of({client.address, 0}) % pool_.addresses);
    if (!is_full(remote, own)) return own;
    std::uint32_t& at = made(remote, all_addresses).next_try;
    while (is_full(remote, at)) at = at + 1 == pool_.addresses ? 0 : at + 1;
    return at;
}

/// There is a free one.
std::uint32_t PoolUse::choose_port(const Table& table, Group& group, const Endpoint& remote) const {
    constexpr std::uint32_t tries = 32;  // then a port that is surely free, if there is one, before all are tried
    const std::uint32_t base = group.address * pool_.ports();
    const auto is_free = [&](std::uint32_t port) { return table.find_outside(base + port, remote) == no_number; };
    for (std::uint32_t i = 0; i < pool_.ports(); ++i) {
        if (i == tries && is_free(group.released)) return group.released;
        const std::uint32_t port = group.next_try;
        group.next_try = port + 1 == pool_.ports() ? 0 : port + 1;
        if (is_free(port)) return port;
    }
    return group.released;
}

std::optional<std::uint32_t> PoolUse::allocate(const Table& table, const Endpoint& client, const Endpoint& remote,
                                               bool keep_port) {
    if (is_full(remote, all_addresses)) return {};
    const std::uint32_t address = choose_address(client, remote);
    Group& group = made(remote, address);
    const std::uint32_t base = address * pool_.ports();
    std::uint32_t port = pool_.port_number(client.port);
    const bool kept = keep_port && pool_.contains_port(client.port) && table.find_outside(base + port, remote) == no_number;
    if (!kept) port = choose_port(table, group, remote);
    ++group.used;
    ++made(remote, all_addresses).used;
    return base + port;
}

}  // namespace xlatperf::reference
