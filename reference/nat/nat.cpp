#include "nat/nat.h"

namespace xlatperf::reference {

Nat::Nat(const NatSettings& settings)
    : settings_(settings), table_(settings.entries), use_(settings.pool, settings.entries, !settings.endpoint_independent) {}

std::uint32_t& Nat::of_group(const Endpoint& client) {
    const auto group = static_cast<std::size_t>(client.address >> group_shift);
    if (group >= of_group_.size()) of_group_.resize(group + 1);
    return of_group_[group];
}

void Nat::remove(Number number) {
    const Entry& entry = table_[number];
    if (settings_.most_of_group != 0) --of_group(entry.client());
    if (!entry.shares) use_.release(entry.remote(), entry.pool);
    table_.remove(number);
}

void Nat::expire(std::uint64_t now_ns, std::uint32_t most) {
    for (; most != 0 && table_.size() != 0 && is_expired(table_.oldest(), now_ns); --most) {
        remove(table_.oldest());
        ++counters_.expired;
    }
}

std::uint32_t Nat::clear() {
    const std::uint32_t entries = table_.size();
    table_.clear();
    use_.clear();
    of_group_.clear();
    faults_.forget();
    counters_.cleared += entries;
    return entries;
}

std::uint32_t Nat::clear(std::uint32_t entries) {
    const std::uint32_t deleted = clear();
    Table table(entries);
    PoolUse use(settings_.pool, entries, !settings_.endpoint_independent);
    settings_.entries = entries;
    table_ = std::move(table);
    use_ = std::move(use);
    return deleted;
}

/// RFC 9693 §4.9: nothing is deleted, or one entry, or several.
bool Nat::make_room(std::uint64_t now_ns) {
    if (table_.size() < table_.capacity()) return true;
    expire(now_ns, 1);
    if (table_.size() < table_.capacity()) return true;
    if (settings_.when_full == WhenFull::refuse) return false;
    const std::uint32_t going = settings_.when_full == WhenFull::collect ? settings_.collect : 1;
    for (std::uint32_t i = 0; i < going && table_.size() != 0; ++i) {
        remove(table_.oldest());
        ++counters_.replaced;
    }
    return true;
}

Number Nat::open(const Endpoint& client, const Endpoint& remote, bool share, std::uint64_t now_ns) {
    const Number as = share ? faults_.towards(remote, table_) : no_number;
    const auto pool = as == no_number ? use_.allocate(table_, client, in_table(remote), true) : std::optional(table_[as].pool);
    if (!pool) return no_number;
    ++counters_.created;
    if (settings_.most_of_group != 0) ++of_group(client);
    if (share) ++(as == no_number ? counters_.not_applicable : counters_.shared_mapping);
    return table_.add(client, in_table(remote), *pool, as != no_number, now_ns);
}

/// Another mapping for a connection. False: there's none left.
bool Nat::change(Number number) {
    const Entry& entry = table_[number];
    const auto pool = use_.allocate(table_, entry.client(), entry.remote(), false);
    if (!pool) return false;
    if (!entry.shares) use_.release(entry.remote(), entry.pool);
    table_.change(number, *pool);
    return true;
}

Mapped Nat::outbound(const Endpoint& client, const Endpoint& remote, std::uint64_t now_ns) {
    const WrongMapping wrong = faults_.none() ? WrongMapping{} : faults_.next();
    Number number = table_.find_inside(client, in_table(remote));
    if (number != no_number && is_expired(number, now_ns)) {
        remove(number);
        ++counters_.expired;
        number = no_number;
    }
    const bool is_new = number == no_number;
    if (is_new) {
        if (settings_.most_of_group != 0 && of_group(client) >= settings_.most_of_group) {
            ++counters_.limited;
            return {Fate::session_limit, {}};
        }
        if (!make_room(now_ns)) {
            ++counters_.refused;
            return {Fate::table_full, {}};
        }
        number = open(client, remote, wrong.share, now_ns);
        if (number == no_number) {
            ++counters_.exhausted;
            return {Fate::pool_exhausted, {}};
        }
    } else {
        if (wrong.share) ++counters_.not_applicable;
        table_.use(number, now_ns);  // RFC 4787 REQ-6
    }
    if (wrong.change) ++(!is_new && change(number) ? counters_.changed_mapping : counters_.not_applicable);
    if (!faults_.none()) faults_.remember(remote, number, table_);

    const Entry& entry = table_[number];
    if (entry.pool != entry.first_pool) ++counters_.changed_packets;
    Endpoint source = settings_.pool.endpoint(entry.pool);
    if (wrong.outside_pool) {
        source.address = settings_.pool.first - 1;
        ++counters_.outside_pool;
    }
    return {Fate::forwarded, source};
}

Mapped Nat::inbound(const Endpoint& to, const Endpoint& remote, std::uint64_t now_ns) {
    const Number number =
        settings_.pool.contains(to) ? table_.find_outside(settings_.pool.number(to), in_table(remote)) : no_number;
    if (number == no_number || is_expired(number, now_ns)) return {Fate::no_mapping, {}};
    table_.use(number, now_ns);
    return {Fate::forwarded, table_[number].client()};
}

}  // namespace xlatperf::reference
