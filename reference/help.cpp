#include "help.h"

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

  port         a PCI address or a DPDK virtual device: net_memif, net_af_packet, net_tap, net_ring ...
  ipv4, ipv6   the gateway's own address on that link with its prefix length; each may be absent
  routes       what is behind that side: the longest prefix of both sides counts; links are known without a route
  neighbors    known link-layer addresses; others are resolved by ARP and Neighbor Discovery and learnt from requests
  mtu          the link's MTU, 68 to 9600; absent: the port's
  technology   what it does to packets besides routing them; see TECHNOLOGIES
  double_translation native and nat44: IPv4 headers leave as two translators in a row make them (RFC 7915): identification
               of a generator, DF only in packets of more than 1260 bytes; false
  udp_checksum_zero  IPv4 UDP packets without a checksum: "drop" or "compute"
  lowest_ipv6_mtu    IPv4 packets with DF=0 whose translation is longer are fragmented
  hugepages    "auto" (if enough are free), "never", "require"
  idle         "poll": never gives up the core; "yield": gives it up when nothing arrives; "sleep": and after a second
               without frames naps for 0.1 ms at a time
  core         the CPU to run on; absent: any that the process may use
  buffers      of frames, 8192 to 4000000; bounds how many can be held by delays

TECHNOLOGIES
)";

constexpr std::string_view rest = R"(
STATEFUL TRANSLATION of UDP by nat44, nat64, nat66; left is inside, where clients are; right is outside
  pool         what clients' addresses and ports become. A client keeps its port where it's free, else it gets the next
               free one; all its mappings have one address as long as that has free ports. The addresses needn't be on
               the link, but must be routed to the device. Defaults: 1 address, ports 1024 to 65535
  entries      1 to 4000000, that the table has room for. Each takes about 100 bytes, all of them at the start
  when_full    what a new connection does to a full table: "refuse": it's dropped; "least_recently_used": it replaces the
               entry that was used longest ago; "collect": the "collect": K entries that were used longest ago go at once
  timeout_s    an entry is deleted when no packet of either direction has used it for so long
  mapping      "endpoint_independent": an entry for each address and port of a client, for all destinations, and whoever
               is outside may send to it (RFC 4787 REQ-1, RFC 6146); "address_and_port_dependent": an entry for each four
               tuple, as Linux has it: S entries hold S connections. Then entries whose destinations differ may have the
               same address and port of the pool
  Packets from outside to the pool without a mapping are dropped (no_mapping), and so are those straight to addresses
  inside (inside_address), fragments, and what isn't UDP: TCP and ICMP, errors too, aren't translated. Neither are packets
  from inside to the pool (hairpinning). Other packets are routed natively: with nat64 IPv6 that isn't in the prefix.

REQUESTS, one JSON object per line; each may have an "id", which the answer repeats
  {"request": "counters"}   all counters
  {"request": "reset"}      counters are zero again, positions of impairments begin at 1 again, held frames leave
  {"request": "impair", "forward": {...}, "reverse": {...}}
                            replaces all impairments of the directions that are given; {} means none. Their positions
                            begin at 1 again, frames that were held leave at once, counters go on
  {"request": "clear"}      deletes all entries of stateful translation; the answer has "deleted", how many they were
  {"request": "quit"}       ends
  An error is {"error": "forward.drop.every: 0 is not allowed: ..."}; nothing has changed then.

IMPAIRMENTS of one direction ("forward" is left to right, "reverse" right to left)
  Test packets are the UDP packets that arrive and are forwarded; they're numbered 1, 2, 3 ... in order of arrival (a
  fragmented one counts once per fragment). Others pass at once. SELECT is "every": k (packets k, 2k, 3k ...) or
  "positions": [n, ...] or both. The steps, in this order; what a step drops the later ones don't see, though every
  step counts it:
   0 "change_mapping": {SELECT}, "share_mapping": {SELECT}, "outside_pool": {SELECT}
              forward, with stateful translation, which numbers the packets that it's asked to translate 1, 2, 3 ...
              change_mapping  the connection has another address and port of the pool from this packet on
              share_mapping   the packet opens a connection, with the address and port that the latest other connection
                              to the same destination has; that one gets the replies
              outside_pool    this packet leaves with the address before the pool's first as its source
              Checksums are right. Packets of known connections are no new ones, and the first packet of a connection
              has nothing to change: not_applicable. With endpoint-independent mapping an entry's other destinations
              have the same fault.
   1 "drop": {SELECT}
   2 "stall": {"at": n, "for_ms": t, "mode": "drop" | "buffer", "buffer": 4096}
              from the arrival of packet n on, for t ms, packets are dropped; or up to "buffer" of them are kept and
              leave when it is over
   3 "capacity": {"rate_fps": R, "buffer": B}
              a packet is served at max(arrival, service of the previous one + 1/R) and dropped if B already wait.
              Frames arrive in bursts of up to 32 at a time: a B below 32 drops from those.
   4 "corrupt": [{"what": WHAT, SELECT}, ...], "hop_limit": {SELECT} (the same as what "hop_limit", the last)
              payload         lowest bit of the last byte of UDP data; UDP checksum left as it was
              address, source_address  lowest bit of the outgoing address; IPv4 header checksum right, UDP's as it was
              port            lowest bit of the destination port; UDP checksum left as it was
              udp_checksum    one bit of it, never to zero
              ip_checksum     lowest bit; IPv4 only
              traffic_class   lowest bit of the DSCP; IPv4 header checksum right
              hop_limit       isn't decremented; IPv4 header checksum right
              outer_address, outer_source_address, outer_traffic_class, outer_hop_limit
                              of the outer header of a tunnel: its lowest bit, or one more; the others are of the packet in it
   5 "untranslated": {SELECT}   the packet as it arrived is sent instead (not technology native)
   6 "delay_us": D, "delays": [{"delay_us": D2, SELECT}, ...]
              a packet leaves D after its arrival (after its service with capacity or stall); of several rules that
              select it the last one counts. Longer delays hold up no other packet.
   7 "duplicate": {SELECT}      a copy leaves right before it
   8 "reorder": {"by": d, "flush_ms": 100, SELECT}
              leaves right behind the d-th test packet after it that passed, or when none has arrived for flush_ms.
              It isn't duplicated, and leaves with that other packet's delay instead of its own.
  Selected packets that have no such field (an IPv6 packet no header checksum) are counted as not_applicable.

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

}  // namespace

std::string help_text() {
    std::string text(beginning);
    for (const Kind* kind : kinds()) text += kind->help.substr(1);
    return text + std::string(rest);
}

}  // namespace xlatperf::reference
