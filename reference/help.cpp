#include "help.h"

#include "control/config.h"
#include "control/plan_fields.h"
#include "control/requests.h"
#include "message/help_page.h"
#include "technologies/kind.h"

namespace xlatperf::reference {

namespace {

constexpr std::string_view beginning = R"(xlatperf-reference: a software gateway with known behaviour, to check a Tester with.

usage: xlatperf-reference [--config FILE] [--no-requests]

  --config FILE   the configuration, one JSON object; without it, it's the first line of standard input
  --no-requests   don't read requests from standard input, and don't end when it ends (to run it by hand)

It prints one JSON object per line: {"ready": true, ...} once it forwards, an answer to each request, and a line with
all counters when it ends. It ends at SIGTERM, SIGINT, {"request": "quit"}, or the end of standard input.
Exit codes: 0 ended as asked, 2 wrong arguments or configuration (one line {"error": ...} says what), 3 something else.

CONFIGURATION
  {"left":  {"port": "net_memif0,role=server,socket=/tmp/x/left.sock,socket-abstract=no,id=0",
             "ipv4": "198.18.255.1/30", "ipv6": "2001:2:0:7fff::1/64",
             "routes": [{"prefix": "2001:2::/64", "via": "2001:2:0:7fff::2"}],
             "neighbors": [{"address": "2001:2:0:7fff::2", "mac": "02:00:00:00:00:01"}], "mtu": 1500},
   "right": {the same keys},
   "technology": {"name": "native"},
   "impair": {"forward": {...}, "reverse": {...}},
   "hugepages": "auto", "idle": "sleep", "core": 1, "buffers": 32768, "icmp_errors_per_second": 1000}

)";

constexpr std::string_view stateful_text = R"(
STATEFUL TRANSLATION of UDP by nat44, nat64, nat66; left is inside, where clients are; right is outside
  A client keeps its port where it's free in the pool, else it gets the next free one; all its mappings have one address as
  long as that has free ports. The pool's addresses needn't be on the link, but must be routed to the device.
  With a mapping for each four tuple S entries hold S connections, and entries whose destinations differ may have the same
  address and port of the pool.
  Packets from outside to the pool without a mapping are dropped (no_mapping), and so are those straight to addresses
  inside (inside_address), fragments, and what isn't UDP: TCP and ICMP, errors too, aren't translated. Neither are packets
  from inside to the pool (hairpinning). Other packets are routed natively: with nat64 IPv6 that isn't in the prefix.

)";

constexpr std::string_view requests_text = R"(
REQUESTS, one JSON object per line; each may have an "id", which the answer repeats. An error is
  {"error": "forward.drop.every: 0 is not allowed: ..."}; nothing has changed then.
)";

constexpr std::string_view impairments_text = R"(
IMPAIRMENTS of one direction ("forward" is left to right, "reverse" right to left)
  Test packets are the UDP packets that arrive and are forwarded; they're numbered 1, 2, 3 ... in order of arrival (a
  fragmented one counts once per fragment). Others pass at once. "every" and "positions" select them. What an earlier step
  drops the later ones don't see, though every step counts it. Selected packets that have no such field (an IPv6 packet no
  header checksum) are counted as not_applicable. The steps, in this order:
    the mappings   stateful translation numbers the packets that it's asked to translate. Checksums are right. Packets of known
                   connections are no new ones, and the first packet of a connection has nothing to change: not_applicable.
                   With endpoint-independent mapping an entry's other destinations have the same fault
    drop, stall, capacity, which serves a packet at max(arrival, service of the previous one + 1/rate), corrupt, untranslated,
    delays, duplicate, reorder
  What "corrupt" does:
    payload         lowest bit of the last byte of UDP data; UDP checksum left as it was
    address, source_address  lowest bit of the outgoing address; IPv4 header checksum right, UDP's as it was
    port            lowest bit of the destination port; UDP checksum left as it was
    udp_checksum    one bit of it, never to zero
    ip_checksum     lowest bit; IPv4 only
    traffic_class   lowest bit of the DSCP; IPv4 header checksum right
    hop_limit       isn't decremented; IPv4 header checksum right
    outer_address, outer_source_address, outer_traffic_class, outer_hop_limit
                    of the outer header of a tunnel: its lowest bit, or one more; the others are of the packet in it

)";

constexpr std::string_view counters_text = R"(
COUNTERS, per direction: received (IP packets), translated, native, fragmented, test_packets, arrived_over_us (from the first
  of these to the last), refused (by reason), and of impairments: dropped, stall_dropped, stall_buffered, capacity_dropped, overflow (more held than buffers allow),
  dropped_positions ([first, last] ranges of all those, at most 1024, then dropped_positions_complete is false),
  corrupted (by what), untranslated, duplicated, delayed, reordered, flushed, not_applicable, passed, held (now).
  With stateful translation changed_mapping (mappings), changed_packets (that left with another address or port than
  their connection's first), shared_mapping, outside_pool; and "state": entries (now), capacity, created, expired,
  replaced, cleared (entries), refused (packets: the table was full), exhausted (packets: the pool had no free port),
  limited (packets: their B4 had as many sessions as it may have).
  Per side: received, transmitted, transmit_full (the other end took no more), receive_missed, no_buffers, arp_*, nd_*,
  echo_replies, icmp_errors_sent, link_up.
  longest_pause_us: the longest time in which the device didn't look at its ports, since the last reset; paused_us: the
  sum of all such times above 20 us. What it does wrong then is the host's doing.
)";

std::string rows(void (*read)(Fields& fields)) {
    std::vector<message::FieldHelp> help;
    Fields fields(nullptr, "", &help);
    read(fields);
    return message::help_page(help, 0);
}

std::string technologies() {
    std::string page = "\nTECHNOLOGIES\n";
    std::vector<message::FieldHelp> help;
    for (const Kind* kind : kinds()) {
        page += kind->help.substr(1);
        Fields fields(nullptr, "", &help);
        fields.only_with(kind->name);
        kind->read(fields);
    }
    return page + "\n" + message::help_page(help, 0);
}

}  // namespace

std::string help_text() {
    std::string page(beginning);
    page += rows([](Fields& fields) { read_config(fields); });
    page += technologies() + std::string(stateful_text) + std::string(requests_text);
    for (const auto& kind : requests())
        page += message::help_lines("  {\"request\": \"" + std::string(kind.name) + "\"}", std::string(kind.text));
    page += impairments_text;
    page += rows([](Fields& fields) { read_plans(fields, true); });
    return page + std::string(counters_text);
}

}  // namespace xlatperf::reference
