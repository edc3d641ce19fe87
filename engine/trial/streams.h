// From configuration and description to the frames of a direction.
#pragma once

#include "frame/stream.h"
#include "trial/configuration.h"
#include "trial/schedule/description.h"
#include "trial/schedule/division.h"
#include "trial/schedule/schedule.h"

namespace xlatperf::trial {

/// MAC addresses of the Tester's ports, and of the DUT as seen from either side for each family.
struct LinkLayer {
    std::array<wire::Mac, 2> tester{};
    std::array<wire::Mac, 2> gateway_ipv4{}, gateway_ipv6{};
};

/// Where frames of `family` go that leave the Tester on `side`.
const wire::Mac& gateway(const LinkLayer& link_layer, flow::Side side, wire::Family family);

/// Where the frames of a direction arrive.
flow::Side arrival(const Configuration& configuration, flow::Direction direction);

/// The size, with FCS, of a frame of class `of` of a direction on the link of `side`, where the description names it `named`.
std::size_t frame_size(const Configuration& configuration, const Description& description, std::size_t named,
                       flow::Direction direction, flow::Side side, flow::Class of);

/// The mean of those that the description names.
double mean_frame_size(const Configuration& configuration, const Description& description, flow::Direction direction,
                       flow::Side side, flow::Class of);

/// Bytes of the option in frames of this class that leave on side `from` (RFC 2473 §4.1.1), which count in no frame size.
std::size_t encapsulation_limit(const Configuration& configuration, flow::Side from, flow::Class of);

/// A reason why the frames of `description` can't be built: a frame size too small or too large; empty if they can.
std::string impossible_size(const Configuration& configuration, const Description& description, std::size_t largest);

/// A reason why the frames of `description` can't be altered so: a field that they don't have; empty if they can.
std::string impossible_change(const Configuration& configuration, const Description& description);

/// A reason why the flows of `description` can't begin one after the other: they aren't counted, or are others; empty if they
/// can.
std::string impossible_beginnings(const Configuration& configuration, const Description& description);

/// The connections that a trial is about; the configuration has some.
flow::Connections make_connections(const Configuration& configuration, const ConnectionPhase& connections);

/// When the frames of a direction are due; its start is set later.
Schedule make_schedule(const Description& description, double ticks_per_second);

/// The intervals of a direction; none if none are asked for.
std::optional<Division> make_division(const Description& description);

frame::Stream make_stream(const Configuration& configuration, const Description& description, const LinkLayer& link_layer,
                          flow::Direction direction);

}  // namespace xlatperf::trial
