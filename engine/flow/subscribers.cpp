#include "flow/subscribers.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace xlatperf::flow {

std::shared_ptr<Binding[]> room_for_rows(std::size_t count) {
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t size = (count * sizeof(Binding) + page - 1) / page * page;
    void* room = std::aligned_alloc(page, size);
    if (room == nullptr) throw std::bad_alloc();
    madvise(room, size, MADV_HUGEPAGE);
    std::shared_ptr<Binding[]> rows(static_cast<Binding*>(room), [](Binding* all) { std::free(all); });
    std::uninitialized_default_construct_n(rows.get(), count);
    return rows;
}

Subscribers::Subscribers(const std::vector<Domain>& domains, std::uint64_t seed) {
    domains_.reserve(domains.size());
    for (const auto& domain : domains) {
        SubscriberRule rule = domain.rule;
        if (domain.only) rule.first_psid = 0;
        const auto psids = static_cast<std::uint32_t>((1U << rule.psid_bits) - rule.first_psid);
        const std::uint64_t numbers = domain.only    ? 1
                                      : domain.table ? domain.count
                                                     : domain.rule.numbers() - domain.without.count;
        domains_.push_back({rule, total_, total_ + domain.count, domain.only.value_or(0),
                            Permutation(numbers, mix(seed + domains_.size())), Divider(psids), Modulo(rule.ports(0).ports()),
                            domain.table, domain.without});
        total_ += domain.count;
        has_prefixes_ |= domain.rule.host_bits > 0;
    }
    if (domains_.size() > 1) {
        rows_ = all_rows();
        for (auto& domain : domains_)
            if (domain.table) domain.table->rows.reset();
    } else if (domains_[0].table) {
        rows_ = domains_[0].table->rows;
    }
}

Rows Subscribers::all_rows() const {
    const auto rows = room_for_rows(total_);
    for (std::size_t number = 0; number < domains_.size(); ++number) {
        const Drawn& domain = domains_[number];
        for (std::uint32_t i = domain.first; i < domain.end; ++i) {
            Binding& row = rows[i];
            if (domain.table) {
                row = domain.table->rows[i - domain.first];
            } else {
                const std::uint64_t who = domain.number(i);
                const wire::Bits128 ipv6 = domain.rule.ipv6_of(who, 0);
                row = {{static_cast<std::uint64_t>(ipv6 >> 64), static_cast<std::uint64_t>(ipv6)},
                       domain.rule.ipv4_of(who, 0),
                       domain.rule.psid_of(who)};
            }
            row.domain = static_cast<std::uint16_t>(number);
        }
    }
    return rows;
}

bool Subscribers::Drawn::covers(const wire::Address& address) const {
    if (!table) return std::visit([&](const auto& one) { return rule.covers(one); }, address);
    if (const auto* ipv4 = std::get_if<wire::Ipv4Address>(&address)) return table->ipv4.contains(*ipv4);
    return table->ipv6.contains(std::get<wire::Ipv6Address>(address));
}

bool Subscribers::covers(const wire::Address& address) const {
    return std::any_of(domains_.begin(), domains_.end(), [&](const Drawn& domain) { return domain.covers(address); });
}

std::uint64_t Subscribers::known_as(const Subscriber& who) const {
    if (!rows_) return who.number;
    const Drawn& domain = domains_[who.domain];
    const auto index = static_cast<std::uint32_t>(who.number);
    if (!domain.table) return domain.number(index);
    return domain.table->file_rows ? domain.table->file_rows[index - domain.first] : index - domain.first;
}

}  // namespace xlatperf::flow
