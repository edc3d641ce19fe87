// An IPv4 and IPv6 router.
#include "technologies/kind.h"

namespace xlatperf::reference {

namespace {

Chosen read_native(Fields& technology) {
    wire::Family family = wire::Family::ipv6;
    bool double_translation = false;
    technology.read("family", family, wire::family_words, "what the test forwards; a router does both");
    technology.read("double_translation", double_translation, double_translation_text);
    return {nullptr, double_translation};
}

}  // namespace

const Kind kind::native = {"native", R"(
  {"name": "native"}
      an IPv4 and IPv6 router
)",
                           read_native};

}  // namespace xlatperf::reference
