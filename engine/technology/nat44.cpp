#include "technology/nat44.h"

#include "technology/stateful_fields.h"

namespace xlatperf::technology {

namespace {

std::shared_ptr<const Technology> read_nat44(Request& request) {
    return std::make_shared<Nat44>(read_clients<wire::Ipv4Address>(request), read_servers<wire::Ipv4Address>(request),
                                   read_pool(request, wire::Family::ipv4), read_double_translation(request.own));
}

}  // namespace

const Kind kind::nat44 = {"nat44", "RFC 3022, RFC 9693", FlowSpace::connections, read_nat44};

}  // namespace xlatperf::technology
