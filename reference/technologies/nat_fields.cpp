#include "technologies/nat_fields.h"

#include <algorithm>
#include <cmath>

namespace xlatperf::reference {

using namespace wire;
using message::Fields;

namespace {

constexpr std::uint32_t most_addresses = 65536;
constexpr Word<WhenFull> when_full_words[] = {
    {"refuse", WhenFull::refuse}, {"least_recently_used", WhenFull::least_recently_used}, {"collect", WhenFull::collect}};
constexpr Word<bool> mapping_words[] = {{"endpoint_independent", true}, {"address_and_port_dependent", false}};

template <typename Address> Bits128 read_first(Fields& fields) {
    Address first;
    fields.require("first", first, "its first address");
    return first.value;
}

void read_pool(Fields& fields, Pool& pool, Family family) {
    pool.family = family;
    pool.first = family == Family::ipv4 ? read_first<Ipv4Address>(fields) : read_first<Ipv6Address>(fields);
    fields.read("addresses", pool.addresses, 1, most_addresses, "how many");
    fields.read("first_port", pool.first_port, 1, 65535, "the lowest port");
    fields.read("last_port", pool.last_port, 1, 65535, "the highest port");
    fields.check(pool.first_port <= pool.last_port, "last_port", pool.last_port,
                 "at least first_port, " + std::to_string(pool.first_port));
    if (family == Family::ipv4) {
        fields.read("psid_offset", pool.psid_offset, 0, 15, "bits before the PSID in a port (RFC 7597 section 5.1)");
        fields.read("psid_length", pool.psid_length, 0, 16 - pool.psid_offset, "bits of the PSID; 0: all ports are its own");
        fields.read("psid", pool.psid, 0, static_cast<std::uint16_t>((1U << pool.psid_length) - 1), "the PSID");
        fields.check(pool.psid_length > 0 || pool.psid_offset == 0, "psid_offset", pool.psid_offset, "0 without psid_length");
        fields.check(pool.ports() > 0, "psid", pool.psid, "one with a port from first_port to last_port");
    }
    const Bits128 last = family == Family::ipv4 ? Bits128{0xdfffffff} : (Bits128{0xfeff} << 112);
    const Bits128 end = pool.first + pool.addresses - 1;
    fields.check(pool.first != 0 && end <= last && end >= pool.first, "addresses", pool.addresses,
                 "addresses of one host each, the first and the last too");
}

}  // namespace

NatSettings read_nat(Fields& technology, Family inside, Family outside) {
    NatSettings settings;
    settings.inside = inside;
    technology.object("pool", "what clients' addresses and ports become",
                      [&](Fields& own) { read_pool(own, settings.pool, outside); });
    read_state(technology, settings);
    return settings;
}

void read_state(Fields& technology, NatSettings& settings) {
    technology.object("state", "the table of mappings", [&](Fields& own) {
        own.read("entries", settings.entries, 1, most_entries, "that it has room for: about 100 bytes each, all at the start");
        own.read("when_full", settings.when_full, when_full_words,
                 "what a new connection does to a full table: it is dropped, or replaces the entry that was used longest ago, or "
                 "\"collect\" of these go at once");
        std::optional<std::uint32_t> collect;
        own.read("collect", collect, 1, settings.entries, "how many go, with when_full \"collect\"");
        if (settings.when_full == WhenFull::collect) {
            if (!collect) throw message::MessageError(own.path_of("collect") + ": missing: how many entries go");
            settings.collect = *collect;
        } else {
            own.check(!collect, "collect", collect.value_or(0), "only with when_full \"collect\"");
        }
        double timeout_s = 300;
        own.read("timeout_s", timeout_s, 0.001, 1e6, "an entry that no packet of either direction has used for so long goes");
        settings.timeout_ns = static_cast<std::uint64_t>(std::llround(timeout_s * 1e9));
        own.read("mapping", settings.endpoint_independent, mapping_words,
                 "an entry for each address and port of a client, to which all outside may send (RFC 4787 REQ-1, RFC 6146); or, "
                 "as Linux has it, for each four tuple");
    });
}

}  // namespace xlatperf::reference
