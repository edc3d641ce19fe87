// The subscribers of gateways that share IPv4 addresses among them: each has an IPv6 address, an IPv4 address or prefix, and the
// ports that it may use. With one rule, who they are follows from their number by shifting, so millions of them take no memory
// and no time to start; with several rules, or where a table says who they are, each has a row. Which numbers they have is drawn
// without repetition.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "flow/divider.h"
#include "flow/permutation.h"
#include "flow/port_range.h"
#include "flow/port_set.h"
#include "wire/address.h"
#include "wire/prefetch.h"

namespace xlatperf::flow {

/// A row of a table of subscribers, which is in one line of a cache. Of an IPv4 prefix the first address.
struct alignas(32) Binding {
    std::array<std::uint64_t, 2> ipv6{};  ///< the upper half, the lower half
    std::uint32_t ipv4 = 0;
    std::uint16_t psid = 0;
    std::uint16_t domain = 0;

    wire::Bits128 ipv6_bits() const { return static_cast<wire::Bits128>(ipv6[0]) << 64 | ipv6[1]; }
};
static_assert(sizeof(Binding) == 32);

/// Rows beside each other, of which one after the other is looked at in any order.
using Rows = std::shared_ptr<const Binding[]>;
/// Room for some, on huge pages where the kernel has them.
std::shared_ptr<Binding[]> room_for_rows(std::size_t count);

/// Where the bits of a subscriber's number go. For MAP (RFC 7597 §5.2, §6) the number is the EA bits: a part of the IPv4 address,
/// then the PSID.
struct SubscriberRule {
    unsigned number_bits = 0;           ///< at most 48
    wire::Bits128 ipv6 = 0;             ///< what all IPv6 addresses have
    unsigned ipv6_shift = 0;            ///< of the number in the IPv6 address
    wire::Bits128 identifier_mask = 0;  ///< where IPv4 address and PSID, 48 bits, are kept
    unsigned identifier_shift = 0;      ///< of these in the IPv6 address: 0, or 8 as drafts of MAP had it
    std::uint32_t ipv4 = 0;             ///< what all IPv4 addresses have
    unsigned host_bits = 0;             ///< of the subscriber's IPv4 prefix; 0: it has one address
    bool host_in_ipv6 = false;          ///< whether its IPv6 address has these bits, or zeros
    unsigned psid_bits = 0;             ///< the lowest bits of the number
    std::uint16_t psid = 0;             ///< if it isn't in the number
    unsigned psid_offset = 0, psid_length = 0;
    std::uint32_t first_psid = 0;  ///< of the PSIDs in numbers, those below are nobody's
    bool is_mapped = true;         ///< the number means something (EA bits); or it only tells softwires apart

    /// How many there are.
    std::uint64_t numbers() const {
        return (std::uint64_t{1} << (number_bits - psid_bits)) * ((std::uint64_t{1} << psid_bits) - first_psid);
    }
    /// All ports are its own: no other subscriber has its address.
    bool all_ports() const { return psid_length == 0; }
    std::uint16_t psid_of(std::uint64_t number) const {
        return static_cast<std::uint16_t>(psid | (number & ((std::uint64_t{1} << psid_bits) - 1)));
    }
    PortSet ports(std::uint64_t number) const { return {psid_offset, psid_length, psid_of(number)}; }
    /// `host`: which address of its prefix.
    std::uint32_t ipv4_of(std::uint64_t number, std::uint32_t host) const {
        return ipv4 | static_cast<std::uint32_t>((number >> psid_bits) << host_bits) | host;
    }
    /// Whether an address is one that the rule can give.
    bool covers(wire::Ipv4Address address) const {
        const unsigned free_bits = number_bits - psid_bits + host_bits;
        return free_bits >= 32 || (address.value ^ ipv4) >> free_bits == 0;
    }
    bool covers(wire::Ipv6Address address) const {
        const unsigned from = ipv6_shift + number_bits;  // the bits above are the rule's prefix
        return from >= 128 || (address.value ^ ipv6) >> from == 0;
    }
    wire::Bits128 ipv6_of(std::uint64_t number, std::uint32_t host) const {
        const std::uint64_t identifier = (std::uint64_t{ipv4_of(number, host_in_ipv6 ? host : 0)} << 16 | psid_of(number))
                                         << identifier_shift;
        return ipv6 | static_cast<wire::Bits128>(number) << ipv6_shift | (identifier & identifier_mask);
    }
    /// What a host adds to the IPv6 address that the first one has.
    wire::Bits128 of_host(std::uint32_t host) const {
        return host_in_ipv6 ? (std::uint64_t{host} << 16 << identifier_shift) & identifier_mask : 0;
    }
};

/// Instead of a rule: who has what. Of the rule, offset and length of the PSID are left.
struct SubscriberTable {
    Rows rows;  ///< as many as the domain has subscribers
    /// Each row's number in the whole file, where this isn't all of it.
    std::shared_ptr<const std::uint32_t[]> file_rows{};
    wire::Ipv4Prefix ipv4{};  ///< what all rows have
    wire::Ipv6Prefix ipv6{};
};

/// Numbers in a row that are somebody else's.
struct Without {
    std::uint64_t first = 0, count = 0;
};

/// One of them.
struct Subscriber {
    std::uint32_t domain = 0;  ///< whose rule it has
    std::uint64_t number = 0;  ///< in its rule; or that of its row

    std::uint64_t packed() const { return std::uint64_t{domain} << 48 | number; }
    static constexpr std::uint64_t number_of(std::uint64_t packed) { return packed & ((std::uint64_t{1} << 48) - 1); }
    static Subscriber of(std::uint64_t packed) { return {static_cast<std::uint32_t>(packed >> 48), number_of(packed)}; }
};

/// Some subscribers of each rule of one or more domains.
class Subscribers {
  public:
    struct Domain {
        SubscriberRule rule;
        std::uint32_t count = 1;              ///< at most its numbers
        std::optional<std::uint64_t> only{};  ///< this number alone, `count` being 1
        std::optional<SubscriberTable> table{};
        Without without{};
    };
    /// A domain, and how its subscribers are drawn.
    struct Drawn {
        SubscriberRule rule;
        std::uint32_t first, end;  ///< indices; end is one more than the last
        std::uint64_t from;        ///< the lowest number that may be drawn
        Permutation order;
        Divider psids;  ///< those that somebody can have
        Modulo ports;
        std::optional<SubscriberTable> table;
        Without without{};  ///< of the numbers of a rule without a first PSID

        /// The number of the one with an index of the domain's.
        std::uint64_t number(std::uint32_t index) const {
            const std::uint64_t i = order(index - first);
            if (rule.first_psid == 0) return from + i + (i >= without.first ? without.count : 0);
            std::uint64_t rest = i;
            const std::uint32_t psid = psids.take(rest);
            return rest << rule.psid_bits | (rule.first_psid + psid);
        }
        bool covers(const wire::Address& address) const;
    };
    static constexpr std::uint32_t most = 1U << 24;  ///< of all domains
    static constexpr std::size_t most_domains = 4096;

    /// 1 to `most_domains`.
    Subscribers(const std::vector<Domain>& domains, std::uint64_t seed);

    std::uint32_t count() const { return total_; }
    std::size_t domains() const { return domains_.size(); }
    /// Whether some have more than one IPv4 address.
    bool has_prefixes() const { return has_prefixes_; }
    const SubscriberRule& rule(std::size_t domain) const { return domains_[domain].rule; }
    /// Whether a rule covers the address.
    bool covers(const wire::Address& address) const;
    const Drawn& domain(std::size_t domain) const { return domains_[domain]; }
    /// Of all, by their index; null: the only rule says who they are.
    const Binding* rows() const { return rows_.get(); }

    /// Number `index`, below `count()`, of those drawn.
    Subscriber operator()(std::uint32_t index) const {
        if (rows_) return {rows_[index].domain, index};
        return {0, domains_[0].number(index)};
    }

    /// Has who is number `index` brought from memory; only with rows.
    [[gnu::always_inline]] void prefetch(std::uint64_t index) const {
        wire::prefetch(&rows_[static_cast<std::ptrdiff_t>(index)]);
    }

    /// Which address of its IPv4 prefix, from 32 random bits.
    std::uint32_t host(const Subscriber& who, std::uint32_t random) const {
        return random & static_cast<std::uint32_t>((std::uint64_t{1} << domains_[who.domain].rule.host_bits) - 1);
    }

    /// A port that it may use; of `own` only the order counts, unless all ports are its own.
    std::uint16_t port(const Subscriber& who, const PortRange& own, std::uint64_t sequence, std::uint32_t random) const {
        const Drawn& drawn = domains_[who.domain];
        if (drawn.rule.all_ports()) return own.port(sequence, random);
        const std::uint32_t ports = drawn.ports.divisor();
        std::uint32_t i = 0;
        if (own.order() == Order::pseudorandom) {
            i = spread(random, ports);
        } else if (own.order() == Order::increasing) {
            i = drawn.ports(sequence);
        } else if (own.order() == Order::decreasing) {
            i = ports - 1 - drawn.ports(sequence);
        }
        const std::uint16_t port = this->ports(who).port(i);
        return port == 0 && ports > 1 ? 1 : port;  // 0 is none (RFC 768)
    }

    std::uint16_t psid(const Subscriber& who) const {
        return rows_ ? row(who).psid : domains_[who.domain].rule.psid_of(who.number);
    }
    PortSet ports(const Subscriber& who) const {
        const SubscriberRule& rule = domains_[who.domain].rule;
        return {rule.psid_offset, rule.psid_length, psid(who)};
    }
    wire::Ipv4Address ipv4(const Subscriber& who, std::uint32_t host) const {
        if (rows_) return {row(who).ipv4 | host};
        return {domains_[who.domain].rule.ipv4_of(who.number, host)};
    }
    wire::Ipv6Address ipv6(const Subscriber& who, std::uint32_t host) const {
        const SubscriberRule& rule = domains_[who.domain].rule;
        return {rows_ ? row(who).ipv6_bits() | rule.of_host(host) : rule.ipv6_of(who.number, host)};
    }
    /// What people call it: its number in the rule, or of a table the file's row, counted from 0.
    std::uint64_t known_as(const Subscriber& who) const;

  private:
    const Binding& row(const Subscriber& who) const { return rows_[static_cast<std::ptrdiff_t>(who.number)]; }
    Rows all_rows() const;

    std::vector<Drawn> domains_;
    Rows rows_;
    std::uint32_t total_ = 0;
    bool has_prefixes_ = false;
};

}  // namespace xlatperf::flow
