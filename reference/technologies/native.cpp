// An IPv4 and IPv6 router.
#include "technologies/kind.h"
#include "technologies/siit_pair.h"
#include "technologies/translation_fields.h"

namespace xlatperf::reference {

namespace {

Chosen read_native(Fields& technology) {
    wire::Family family = wire::Family::ipv6;
    technology.read("family", family, wire::family_words, "what the test forwards; a router does both");
    const std::optional<TranslatedTwice> twice = read_double_translation(technology);
    if (!technology.has("left") && !technology.has("right")) return {nullptr, twice};
    const Siit both = read_translation(technology);
    std::array translators = {both, both};
    for (const Side side : {Side::left, Side::right}) {
        technology.object(side == Side::left ? "left" : "right", "the addresses of the translator on this side",
                          [&](Fields& own) { translators[index(side)].map = read_address_map(own); });
    }
    return {make_siit_pair(std::move(translators))};
}

}  // namespace

const Kind kind::native = {"native", R"(
  {"name": "native"}
      an IPv4 and IPv6 router
  {"name": "native", "left": {"prefix": "2001:2:0:6464::/96"}, "right": {"prefix": "2001:2:0:6464::/96"}}
      two stateless translators in a row, of IPv4 on either side, each of which decrements the TTL; with "eam" as siit. IPv6
      is routed natively
)",
                           read_native};

}  // namespace xlatperf::reference
