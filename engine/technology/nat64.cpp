#include "technology/nat64.h"

#include "technology/stateful_fields.h"
#include "technology/translation_prefix.h"
namespace xlatperf::technology {

namespace {

std::shared_ptr<const Technology> read_nat64(Request& request) {
    const auto prefix = read_translation_prefix(request.own);
    return std::make_shared<Nat64>(read_clients<wire::Ipv6Address>(request), read_servers<wire::Ipv4Address>(request),
                                   read_pool(request, wire::Family::ipv4), prefix);
}

}  // namespace

const Kind kind::nat64 = {"nat64", "RFC 6146, RFC 9693", FlowSpace::connections, read_nat64};

}  // namespace xlatperf::technology
