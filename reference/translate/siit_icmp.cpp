// RFC 7915 §4.2 and §5.2: ICMPv4 and ICMPv6 messages, with the packets that errors quote.
#include <algorithm>
#include <array>

#include "translate/siit.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

constexpr std::size_t lowest_mtu = 1280;                                 // RFC 8200 §5
constexpr std::size_t largest_icmpv6_message = lowest_mtu - ipv6::size;  // RFC 4443 §2.4 (c), without the IPv6 header
constexpr std::size_t largest_icmpv4_message = 576 - ipv4::size;         // RFC 1812 §4.3.2.3
constexpr std::uint8_t not_translated = 0xff;

/// The first four bytes of the new message but for the checksum, and the four behind it.
struct Head {
    std::uint8_t type = 0, code = 0;
    std::uint32_t rest = 0;
};

/// §4.2, figure 3: which IPv6 header field an IPv4 pointer's field became.
constexpr std::array<std::uint8_t, 20> pointer_v4_to_v6 = {0,
                                                           1,
                                                           4,
                                                           4,
                                                           not_translated,
                                                           not_translated,
                                                           not_translated,
                                                           not_translated,
                                                           7,
                                                           6,
                                                           not_translated,
                                                           not_translated,
                                                           8,
                                                           8,
                                                           8,
                                                           8,
                                                           24,
                                                           24,
                                                           24,
                                                           24};

/// §5.2, figure 6.
constexpr std::uint8_t pointer_v6_to_v4(std::uint32_t pointer) {
    if (pointer < 2) return static_cast<std::uint8_t>(pointer);
    if (pointer == 4 || pointer == 5) return 2;
    if (pointer == 6) return 9;
    if (pointer == 7) return 8;
    if (pointer >= 8 && pointer <= 23) return 12;
    if (pointer >= 24 && pointer <= 39) return 16;
    return not_translated;
}

/// RFC 1191 §7.1: a router that doesn't tell its MTU has one below the packet's length.
std::size_t plateau_below(std::size_t total_length) {
    constexpr std::array<std::size_t, 10> plateaus = {32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, 68};
    for (const std::size_t plateau : plateaus)
        if (plateau < total_length) return plateau;
    return 68;
}

std::optional<Head> unreachable_v4_to_v6(const Siit& siit, Bytes in) {
    switch (in[icmp::code]) {
        case 0:
        case 1:
        case 5:
        case 6:
        case 7:
        case 8:
        case 11:
        case 12:
            return Head{1, 0, 0};
        case 2:
            return Head{4, 1, ipv6::next_header};  // protocol unreachable: the next header field isn't known
        case 3:
            return Head{1, 4, 0};
        case 4: {
            std::size_t mtu = load16(in.data() + 6);
            if (mtu == 0 && in.size() >= icmp::size + 4) mtu = plateau_below(load16(in.data() + icmp::size + ipv4::total_length));
            mtu = std::min({mtu + 20, siit.ipv6_mtu, siit.ipv4_mtu + 20});
            return Head{2, 0, static_cast<std::uint32_t>(std::max(mtu, lowest_mtu))};
        }
        case 9:
        case 10:
        case 13:
        case 15:
            return Head{1, 1, 0};
        default:
            return {};
    }
}

/// §4.2: the errors.
std::optional<Head> error_v4_to_v6(const Siit& siit, Bytes in) {
    const std::uint8_t type = in[icmp::type], code = in[icmp::code];
    if (type == 3) return unreachable_v4_to_v6(siit, in);
    if (type == 11) return Head{3, code, 0};
    if (type == 12 && (code == 0 || code == 2)) {
        const std::uint8_t pointer = in[icmp::rest];
        if (pointer >= pointer_v4_to_v6.size() || pointer_v4_to_v6[pointer] == not_translated) return {};
        return Head{4, 0, pointer_v4_to_v6[pointer]};
    }
    return {};  // source quench, redirect, router discovery, timestamps, address masks: silently dropped
}

/// §5.2: the errors.
std::optional<Head> error_v6_to_v4(const Siit& siit, Bytes in) {
    const std::uint8_t type = in[icmp::type], code = in[icmp::code];
    const std::uint32_t rest = load32(in.data() + icmp::rest);
    if (type == 1 && (code == 0 || code == 2 || code == 3)) return Head{3, 1, 0};
    if (type == 1 && code == 1) return Head{3, 10, 0};
    if (type == 1 && code == 4) return Head{3, 3, 0};
    if (type == 2) {
        const std::size_t told = rest > 20 ? rest - 20 : 0;
        const std::size_t mtu = std::min({told, siit.ipv4_mtu, siit.ipv6_mtu - 20});
        return Head{3, 4, static_cast<std::uint32_t>(mtu)};
    }
    if (type == 3) return Head{11, code, 0};
    if (type == 4 && code == 1) return Head{3, 2, 0};
    if (type == 4 && code == 0) {
        const std::uint8_t pointer = pointer_v6_to_v4(rest);
        if (pointer != not_translated) return Head{12, 0, std::uint32_t{pointer} << 24};
    }
    return {};  // Neighbor Discovery, MLD and the rest: silently dropped
}

/// RFC 4884 §4: where an error's length attribute is, and in words of how many bytes.
struct LengthAttribute {
    std::size_t at, word;
};
constexpr std::size_t least_before_extension = 128;

std::optional<LengthAttribute> length_attribute(std::uint8_t type, bool v4) {
    if (v4 && (type == 3 || type == 11 || type == 12)) return LengthAttribute{5, 4};
    if (!v4 && (type == 1 || type == 3)) return LengthAttribute{4, 8};
    return {};
}

/// The packet that an error is about, and the extension behind it.
struct Data {
    Bytes packet, extension;
};

Data data_of(Bytes message, bool v4) {
    const Bytes data = message.subspan(icmp::size);
    const auto attribute = length_attribute(message[icmp::type], v4);
    const std::size_t length = attribute ? message[attribute->at] * attribute->word : 0;
    if (length == 0 || length >= data.size()) return {data, {}};
    return {data.first(length), data.subspan(length)};
}

/// §4.2, §5.2: the extension is passed on as it is, and the length attribute tells where it is now. Returns the message's size;
/// without the extension if there's no room for it, or none is defined for this type.
std::size_t append_extension(Bytes extension, MutableBytes out, std::size_t quoted, bool v4, std::size_t largest) {
    const auto attribute = length_attribute(out[icmp::type], v4);
    const std::size_t plain = std::min(icmp::size + quoted, largest);
    if (extension.empty() || !attribute) return plain;
    const std::size_t padded =
        (std::max(quoted, least_before_extension) + attribute->word - 1) / attribute->word * attribute->word;
    const std::size_t size = icmp::size + padded + extension.size();
    if (size > std::min(largest, out.size()) || padded / attribute->word > 0xff) return plain;
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(icmp::size + quoted), padded - quoted, std::uint8_t{0});
    std::copy(extension.begin(), extension.end(), out.begin() + static_cast<std::ptrdiff_t>(icmp::size + padded));
    out[attribute->at] = static_cast<std::uint8_t>(padded / attribute->word);
    return size;
}

void write_head(std::uint8_t* out, const Head& head) {
    out[icmp::type] = head.type;
    out[icmp::code] = head.code;
    store16(out + icmp::checksum, 0);
    store32(out + icmp::rest, head.rest);
}

std::uint64_t pseudo_header(Ipv6Address source, Ipv6Address destination, std::size_t length) {
    std::array<std::uint8_t, 32> addresses{};
    source.store(addresses.data());
    destination.store(addresses.data() + 16);
    return sum_bytes(addresses.data(), addresses.size()) + pseudo_tail(length, protocol::icmpv6);
}

}  // namespace

Result icmp_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out, Ipv6Address source, Ipv6Address destination) {
    if (in.size() < icmp::size) return drop(Fate::malformed);
    if (in[icmp::type] == 8 || in[icmp::type] == 0) {  // echo request and reply
        if (in[icmp::code] != 0) return drop(Fate::not_translatable_icmp);
        std::copy(in.begin(), in.end(), out.begin());
        translate_echo(out.data(), in[icmp::type] == 8 ? 128 : 129, 0, pseudo_header(source, destination, in.size()));
        return {Fate::forwarded, in.size(), 0, 0};
    }
    if (fold(sum_bytes(in.data(), in.size())) != 0xffff) return drop(Fate::icmp_checksum);
    const auto head = error_v4_to_v6(siit, in);
    if (!head) return drop(Fate::not_translatable_icmp);
    const Data data = data_of(in, true);
    const std::size_t quoted = translate_quoted_v4_to_v6(siit, data.packet, out.subspan(icmp::size));
    if (quoted == 0) return drop(Fate::not_translatable_icmp);
    write_head(out.data(), *head);
    const std::size_t size = append_extension(data.extension, out, quoted, false, largest_icmpv6_message);
    const std::uint64_t sum = sum_bytes(out.data(), size) + pseudo_header(source, destination, size);
    store_sum(out.data() + icmp::checksum, static_cast<std::uint16_t>(~fold(sum)));
    return {Fate::forwarded, size, 0, 0};
}

Result icmp_v6_to_v4(const Siit& siit, const Ipv6Packet& packet, MutableBytes out) {
    const Bytes in = packet.payload;
    if (in.size() < icmp::size) return drop(Fate::malformed);
    const std::uint64_t pseudo = pseudo_header(packet.source, packet.destination, in.size());
    if (in[icmp::type] == 128 || in[icmp::type] == 129) {
        if (in[icmp::code] != 0) return drop(Fate::not_translatable_icmp);
        std::copy(in.begin(), in.end(), out.begin());
        translate_echo(out.data(), in[icmp::type] == 128 ? 8 : 0, pseudo, 0);
        return {Fate::forwarded, in.size(), 0, 0};
    }
    if (fold(sum_bytes(in.data(), in.size()) + pseudo) != 0xffff) return drop(Fate::icmp_checksum);
    const auto head = error_v6_to_v4(siit, in);
    if (!head) return drop(Fate::not_translatable_icmp);
    const Data data = data_of(in, false);
    const std::size_t quoted = translate_quoted_v6_to_v4(siit, data.packet, out.subspan(icmp::size));
    if (quoted == 0) return drop(Fate::not_translatable_icmp);
    write_head(out.data(), *head);
    const std::size_t size = append_extension(data.extension, out, quoted, true, largest_icmpv4_message);
    store_sum(out.data() + icmp::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(out.data(), size))));
    return {Fate::forwarded, size, 0, 0};
}

}  // namespace xlatperf::reference
