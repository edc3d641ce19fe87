// What becomes of a packet. Every reason not to forward it has a counter of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace xlatperf::reference {

enum class Fate : std::uint8_t {
    forwarded,
    malformed,
    ipv4_checksum,
    hop_limit,          // answered: Time Exceeded
    too_big,            // answered: Fragmentation Needed, Packet Too Big
    no_route,           // answered: Destination Unreachable
    source_route,       // answered: Source Route Failed (RFC 7915 §4.1)
    routing_header,     // answered: Parameter Problem (RFC 7915 §5.1)
    udp_checksum_zero,  // RFC 7915 §4.5
    not_translatable_address,
    not_translatable_icmp,  // types and codes that RFC 7915 §4.2 and §5.2 drop
    icmp_checksum,
    icmp_fragment,         // its checksum covers a length that isn't known (RFC 7915 §4.2, §5.2)
    fragment_extension,    // an extension header behind the Fragment header (RFC 7915 §5.1.1)
    no_mapping,            // stateful translation: to an address of the pool, and nobody is mapped to it
    inside_address,        // from outside straight to an address inside
    table_full,            // no room for another mapping
    pool_exhausted,        // no port for another mapping
    session_limit,         // DS-Lite: the B4 has as many mappings as it may have
    not_udp,               // other protocols aren't translated by stateful translation; neither are ICMP errors
    fragment,              // doesn't tell its ports
    not_ecn_capable,       // RFC 6040 §4.2: there was congestion in the tunnel, which the packet in it can't tell of
    no_port,               // where addresses are shared: neither TCP nor UDP nor an echo
    unknown_softwire,      // from here on checks that can be switched off. Lw4o6 (RFC 7596 §6.2): it isn't in the binding table
    wrong_source_address,  // MAP (RFC 7597 §8.1, RFC 7599 §8.3)
    wrong_source_port,
    wrong_ea_bits,
    wrong_interface_identifier,
    wrong_tunnel_end,
    wrong_destination_address,
    wrong_destination_port,
    multicast,
    other_ethertype,
    not_for_us,
    no_neighbor,
    no_buffers,
    transmit_full,
    count
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Fate::count)> fate_names = {"forwarded",
                                                                                                   "malformed",
                                                                                                   "ipv4_checksum",
                                                                                                   "hop_limit",
                                                                                                   "too_big",
                                                                                                   "no_route",
                                                                                                   "source_route",
                                                                                                   "routing_header",
                                                                                                   "udp_checksum_zero",
                                                                                                   "not_translatable_address",
                                                                                                   "not_translatable_icmp",
                                                                                                   "icmp_checksum",
                                                                                                   "icmp_fragment",
                                                                                                   "fragment_extension",
                                                                                                   "no_mapping",
                                                                                                   "inside_address",
                                                                                                   "table_full",
                                                                                                   "pool_exhausted",
                                                                                                   "session_limit",
                                                                                                   "not_udp",
                                                                                                   "fragment",
                                                                                                   "not_ecn_capable",
                                                                                                   "no_port",
                                                                                                   "unknown_softwire",
                                                                                                   "wrong_source_address",
                                                                                                   "wrong_source_port",
                                                                                                   "wrong_ea_bits",
                                                                                                   "wrong_interface_identifier",
                                                                                                   "wrong_tunnel_end",
                                                                                                   "wrong_destination_address",
                                                                                                   "wrong_destination_port",
                                                                                                   "multicast",
                                                                                                   "other_ethertype",
                                                                                                   "not_for_us",
                                                                                                   "no_neighbor",
                                                                                                   "no_buffers",
                                                                                                   "transmit_full"};

/// What a translation or a hop made of a packet.
struct Result {
    Fate fate = Fate::malformed;
    std::size_t size = 0;         // bytes of the outgoing packet
    std::size_t fragment_at = 0;  // the packet must be cut into fragments of at most so many bytes; 0: it mustn't
    std::uint32_t detail = 0;     // too_big: the MTU to tell; routing_header: the pointer; wrong_*: 1, answered
    bool silent = false;          // it's not answered
    std::optional<std::uint32_t> identification = std::nullopt;  // of the fragments; else a generator's
};

constexpr Result drop(Fate fate, std::uint32_t detail = 0) { return {fate, 0, 0, detail, false, std::nullopt}; }

}  // namespace xlatperf::reference
