// The same as NAT44 for IPv6, in the sense of RFC 9693 §1.
#include "technology/nat44.h"
#include "technology/stateful_fields.h"

namespace xlatperf::technology {

namespace {

std::shared_ptr<const Technology> read_nat66(Request& request) {
    return std::make_shared<Nat44>(read_clients<wire::Ipv6Address>(request), read_servers<wire::Ipv6Address>(request),
                                   read_pool(request, wire::Family::ipv6));
}

}  // namespace

const Kind kind::nat66 = {"nat66", "RFC 9693", FlowSpace::connections, read_nat66};

}  // namespace xlatperf::technology
