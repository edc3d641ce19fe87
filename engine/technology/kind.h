// What kinds of technologies there are. Each says in its own file what it is called, what its frames belong to and how it is read
// from a request; kinds.inc lists the files.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "message/fields.h"
#include "technology/technology.h"

namespace xlatperf::technology {

/// The parts of a `configure` request that a technology reads.
struct Request {
    message::Fields& own;                                  ///< technology
    std::array<std::optional<message::Fields>, 2>& hosts;  ///< left.hosts, right.hosts
    message::Fields* connections = nullptr;                ///< traffic.connections, of stateful technologies
    std::uint64_t seed = 1;                                ///< traffic.seed
};

/// What the frames of a technology belong to.
enum class FlowSpace : std::uint8_t {
    hosts,        ///< of both sides
    connections,  ///< of clients with servers (RFC 9693); neither side has `hosts`
    subscribers,  ///< of the left side, with hosts of the right one
};

struct Kind {
    std::string_view name, standard;  ///< as in requests; "RFC 7915"
    FlowSpace flow_space;
    /// Throws message::MessageError.
    std::shared_ptr<const Technology> (*read)(Request& request);

    /// Whether the hosts of `side` are told by `<side>.hosts`.
    bool needs_hosts(Side side) const {
        return flow_space == FlowSpace::hosts || (flow_space == FlowSpace::subscribers && side == Side::right);
    }
};

namespace kind {
#define KIND(name) extern const Kind name;
#include "technology/kinds.inc"
#undef KIND
}  // namespace kind

/// All of them.
const std::vector<const Kind*>& kinds();

/// The one that `name` says. Throws message::MessageError.
const Kind& read_kind(message::Fields& technology);

}  // namespace xlatperf::technology
