// All frames of one direction of a trial, as they leave and as they must arrive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "counter/counters.h"
#include "flow/enumeration.h"
#include "flow/size_sequence.h"
#include "flow/traffic_mix.h"
#include "frame/alteration.h"
#include "frame/images.h"
#include "frame/probe.h"
#include "frame/source_macs.h"

namespace xlatperf::frame {

using flow::Class;

struct Stream {
    flow::Direction direction;
    flow::Side arrives;  ///< where the frames come out of the DUT
    probe::Mark mark;
    std::uint64_t frames;  ///< numbers are below this
    flow::Enumeration foreground_flows, background_flows;
    flow::TrafficMix mix;
    std::array<technology::Arriving, flow::classes> arriving;  ///< what the headers of each class must have then
    bool loopback;                                             ///< no DUT
    std::array<Images, flow::classes> sent, expected;
    /// Of stateful gateways: who the client is on the right is up to the DUT. Foreground frames that arrive there have any source
    /// out of `pool`; those that are sent there go to what was learnt.
    bool any_source = false, learnt_destination = false;
    std::optional<technology::Pool> pool = {};
    flow::SizeSequence sizes{{0}};                 ///< which of a class's images a frame has
    counter::Some<counter::Reason> accepted = {};  ///< frames that are wrong only in these ways count as expected
    std::optional<SourceMacs> source_macs = {};    ///< in place of the Tester's port's, as frames leave
    Alteration alteration = {};                    ///< of foreground frames before the fence, before they leave
    std::uint64_t fence = ~std::uint64_t{0};       ///< begins with this number
    bool reassembles = false;                      ///< fragments are put together, and count as one frame
    /// IPv4 packets leave with an identification that follows from their number (frame/numbered_identification.h).
    bool numbered_identification = false;

    /// Where foreground frames arrive as IPv4, in which the identification is as it was sent.
    bool arrives_with_numbered_identification() const {
        return numbered_identification && expected[0] && expected_image(Class::foreground).family() == wire::Family::ipv4 &&
               arriving[0].identification.rule == technology::Rule::kept;
    }
    /// Where a Fragment header has that of the IPv4 packet that was translated (RFC 7915 §4.1).
    bool fragments_have_numbered_identification() const {
        return numbered_identification && expected[0] && sent_image(Class::foreground).family() == wire::Family::ipv4 &&
               expected_image(Class::foreground).family() == wire::Family::ipv6;
    }

    /// Frames that arrive have one that is known: not the DUT's, and not one for each host.
    bool one_source_mac() const { return loopback && !source_macs; }
    const flow::Enumeration& flows(Class c) const { return c == Class::foreground ? foreground_flows : background_flows; }
    /// For what doesn't depend on the size.
    const Image& sent_image(Class c) const { return *sent[flow::index(c)]; }
    const Image& expected_image(Class c) const { return *expected[flow::index(c)]; }
    /// Of frame `number`, whose class is `c`.
    unsigned size_of(Class c, std::uint64_t number) const { return sizes.several() ? sizes(mix.number_in_class(c, number)) : 0; }
    const Image& sent_image(Class c, std::uint64_t number) const { return sent[flow::index(c)].of_size(size_of(c, number)); }
    const Image& expected_image(Class c, std::uint64_t number) const {
        return expected[flow::index(c)].of_size(size_of(c, number));
    }

    /// Where the client isn't known, the pool's first address stands for it, with a port of the pool.
    Ends sent_ends(Class c, const flow::Flow& flow) const {
        const Image& image = sent_image(c);
        if (!learnt_destination || c == Class::background) return image.ends(flow);
        return {image.source_of(flow), image.destination(0), flow.source_port, pool->port_for(flow.destination_port)};
    }
    Ends expected_ends(Class c, const flow::Flow& flow) const {
        const Image& image = expected_image(c);
        if (!any_source || c == Class::background) return image.ends(flow);
        return {image.source(0), image.destination_of(flow), pool->port_for(flow.source_port), flow.destination_port};
    }
};

}  // namespace xlatperf::frame
