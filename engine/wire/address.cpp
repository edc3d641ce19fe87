#include "wire/address.h"

#include <arpa/inet.h>

#include <charconv>

#include "wire/byte_order.h"

namespace xlatperf::wire {

void Ipv4Address::store(std::uint8_t* at) const { store32(at, value); }
Ipv4Address Ipv4Address::load(const std::uint8_t* at) { return {load32(at)}; }

void Ipv6Address::store(std::uint8_t* at) const {
    for (unsigned i = 0; i < 4; ++i) store32(at + 4 * i, static_cast<std::uint32_t>(value >> (96 - 32 * i)));
}
Ipv6Address Ipv6Address::load(const std::uint8_t* at) {
    Ipv6Address address;
    for (unsigned i = 0; i < 4; ++i) address.value = (address.value << 32) | load32(at + 4 * i);
    return address;
}

template <typename Address, unsigned Bits> Address Prefix<Address, Bits>::network() const {
    using Value = decltype(address.value);
    if (length == 0) return {};
    return {static_cast<Value>(address.value >> (Bits - length) << (Bits - length))};
}
template <typename Address, unsigned Bits> bool Prefix<Address, Bits>::contains(Address candidate) const {
    return Prefix{candidate, length}.network() == network();
}
template struct Prefix<Ipv4Address, 32>;
template struct Prefix<Ipv6Address, 128>;

namespace {
// A zero byte would end the text for inet_pton, whatever follows.
bool to_binary(int family, std::string_view text, std::uint8_t* bytes) {
    return text.find('\0') == std::string_view::npos && inet_pton(family, std::string(text).c_str(), bytes) == 1;
}

template <typename P, typename Parse> std::optional<P> parse_prefix(std::string_view text, Parse parse) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return {};
    const auto address = parse(text.substr(0, slash));
    const auto digits = text.substr(slash + 1);
    unsigned length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (!address || error != std::errc{} || end != digits.data() + digits.size() || length > P::bits) return {};
    return P{*address, length};
}

// RFC 5952 §5: ::192.0.2.1, ::ffff:192.0.2.1.
std::string with_ipv4(Ipv6Address address) {
    std::array<std::uint8_t, 16> bytes{};
    address.store(bytes.data());
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
    return text.data();
}
}  // namespace

std::optional<Ipv4Address> parse_ipv4(std::string_view text) {
    std::array<std::uint8_t, 4> bytes{};
    if (!to_binary(AF_INET, text, bytes.data())) return {};
    return Ipv4Address::load(bytes.data());
}
std::optional<Ipv6Address> parse_ipv6(std::string_view text) {
    std::array<std::uint8_t, 16> bytes{};
    if (!to_binary(AF_INET6, text, bytes.data())) return {};
    return Ipv6Address::load(bytes.data());
}
std::optional<Ipv4Prefix> parse_ipv4_prefix(std::string_view text) { return parse_prefix<Ipv4Prefix>(text, parse_ipv4); }
std::optional<Ipv6Prefix> parse_ipv6_prefix(std::string_view text) { return parse_prefix<Ipv6Prefix>(text, parse_ipv6); }

std::string to_text(Ipv4Address address) {
    std::string text = std::to_string(address.value >> 24);
    for (const unsigned shift : {16U, 8U, 0U}) (text += '.') += std::to_string(address.value >> shift & 0xff);
    return text;
}
std::string to_text(Ipv6Address address) {
    if (address.value >> 48 == 0) return with_ipv4(address);
    const auto group = [&](unsigned i) { return static_cast<std::uint16_t>(address.value >> (112 - 16 * i)); };
    // RFC 5952 §4.2: the first of the longest runs of zeros, unless it is one group.
    unsigned left_out = 8, length = 1;
    for (unsigned i = 0, run = 0; i < 8; ++i) {
        run = group(i) == 0 ? run + 1 : 0;
        if (run > length) {
            length = run;
            left_out = i + 1 - run;
        }
    }
    std::array<char, INET6_ADDRSTRLEN> text{};
    char* end = text.data();
    for (unsigned i = 0; i < 8; ++i) {
        if (i > 0) *end++ = ':';
        if (i == left_out) {
            if (i == 0) *end++ = ':';
            i += length - 1;
            if (i == 7) *end++ = ':';
        } else {
            end = std::to_chars(end, text.data() + text.size(), group(i), 16).ptr;
        }
    }
    return {text.data(), end};
}
std::string to_text(const Address& address) {
    return std::visit([](const auto& one) { return to_text(one); }, address);
}

std::string to_text(const Ipv4Prefix& prefix) { return to_text(prefix.address) + "/" + std::to_string(prefix.length); }
std::string to_text(const Ipv6Prefix& prefix) { return to_text(prefix.address) + "/" + std::to_string(prefix.length); }

}  // namespace xlatperf::wire
