// Stateful translation from IPv4 to IPv4 (RFC 4787).
#include "technologies/kind.h"
#include "technologies/nat_fields.h"
#include "technologies/stateful.h"
#include "technologies/translation_fields.h"

namespace xlatperf::reference {

namespace {

Chosen read_nat44(Fields& technology) {
    const std::optional<TranslatedTwice> twice = read_double_translation(technology);
    const NatSettings settings = read_nat(technology, wire::Family::ipv4, wire::Family::ipv4);
    return {std::make_shared<StatefulInFamily>(settings, twice), twice};
}

}  // namespace

const Kind kind::nat44 = {"nat44", R"(
  {"name": "nat44", "pool": {"first": "198.19.0.1", "addresses": 1, "first_port": 1024, "last_port": 65535,
                             "psid_offset": 0, "psid_length": 0, "psid": 0},
   "state": {"entries": 65536, "when_full": "refuse", "timeout_s": 300, "mapping": "endpoint_independent"}}
      stateful translation of UDP, see there
)",
                          read_nat44};

}  // namespace xlatperf::reference
