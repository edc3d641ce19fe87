// An IPv4 and IPv6 router.
#include "technologies/kind.h"

namespace xlatperf::reference {

namespace {

Chosen read_native(const Json& json, const std::string& path) {
    const StrictObject object(json, path, {"name", "family", "double_translation"});
    object.one_of("family", {"ipv4", "ipv6"}, "ipv6");  // a router does both
    return {nullptr, object.truth("double_translation", false)};
}

}  // namespace

const Kind kind::native = {"native", R"(
  {"name": "native"}
      an IPv4 and IPv6 router
)",
                           read_native};

}  // namespace xlatperf::reference
