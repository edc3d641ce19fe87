// How the IP/ICMP Translation Algorithm is to work (RFC 7915), in the configuration.
#pragma once

#include <optional>

#include "message/fields.h"
#include "translate/forward.h"
#include "translate/siit.h"

namespace xlatperf::reference {

/// The prefix at `key`, of a length and with the zeros that RFC 6052 §2.2 asks for. Throws MessageError.
wire::Ipv6Prefix read_translation_prefix(message::Fields& technology, const std::string& key);

/// The keys "prefix" and "eam", of which there must be one. Throws MessageError.
AddressMap read_address_map(message::Fields& technology);

/// The key "double_translation", and with it "udp_checksum_zero"; nothing: IPv4 isn't translated. Throws MessageError.
std::optional<TranslatedTwice> read_double_translation(message::Fields& technology);

/// The keys "udp_checksum_zero" and "lowest_ipv6_mtu"; the rest is as it begins. Throws MessageError.
Siit read_translation(message::Fields& technology);

}  // namespace xlatperf::reference
