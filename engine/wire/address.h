// IPv4 and IPv6 addresses and prefixes. Addresses are numbers in host order, so that arithmetic reads as in the RFCs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "wire/words.h"

namespace xlatperf::wire {

enum class Family : std::uint8_t { ipv4 = 4, ipv6 = 6 };
inline constexpr Word<Family> family_words[] = {{"ipv4", Family::ipv4}, {"ipv6", Family::ipv6}};
constexpr std::string_view name(Family family) { return word_of(family_words, family); }

__extension__ using Bits128 = unsigned __int128;

struct Ipv4Address {
    std::uint32_t value = 0;
    auto operator<=>(const Ipv4Address&) const = default;
    void store(std::uint8_t* at) const;
    static Ipv4Address load(const std::uint8_t* at);
};

struct Ipv6Address {
    Bits128 value = 0;
    bool operator==(const Ipv6Address&) const = default;
    bool operator<(const Ipv6Address& other) const { return value < other.value; }
    void store(std::uint8_t* at) const;
    static Ipv6Address load(const std::uint8_t* at);
};

/// `address` with its host bits, `length` bits of prefix.
template <typename Address, unsigned Bits> struct Prefix {
    Address address;
    unsigned length = 0;
    static constexpr unsigned bits = Bits;
    bool operator==(const Prefix&) const = default;
    /// The prefix's own bits, the rest being zero.
    Address network() const;
    bool contains(Address candidate) const;
};
using Ipv4Prefix = Prefix<Ipv4Address, 32>;
using Ipv6Prefix = Prefix<Ipv6Address, 128>;

std::optional<Ipv4Address> parse_ipv4(std::string_view text);
std::optional<Ipv6Address> parse_ipv6(std::string_view text);
std::optional<Ipv4Prefix> parse_ipv4_prefix(std::string_view text);
std::optional<Ipv6Prefix> parse_ipv6_prefix(std::string_view text);
/// Of either family.
using Address = std::variant<Ipv4Address, Ipv6Address>;
inline Family family(const Address& address) {
    return std::holds_alternative<Ipv4Address>(address) ? Family::ipv4 : Family::ipv6;
}

std::string to_text(Ipv4Address address);
std::string to_text(Ipv6Address address);  ///< RFC 5952
std::string to_text(const Address& address);
std::string to_text(const Ipv4Prefix& prefix);
std::string to_text(const Ipv6Prefix& prefix);

}  // namespace xlatperf::wire
