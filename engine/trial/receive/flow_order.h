// Whether a frame came behind a later one of its own flow, which a DUT should not let happen (RFC 4737 §3.4 on a stream that is
// one flow; RFC 7915 §4, §5). Where frames of different flows overtake each other, a DUT has several queues or cores.
//
// Nothing is kept before any frame has been overtaken; then the highest number of each flow, of which later flows may take the
// place: with more flows than places, what was overtaken very long ago isn't seen.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/flow.h"
#include "flow/random.h"

namespace xlatperf::trial {

class FlowOrder {
  public:
    static constexpr std::size_t places = 1U << 16;
    /// So many numbers before the first that was overtaken are looked at again.
    static constexpr std::uint64_t looked_back = 4096;

    /// Which flow it is; `apart`: what makes equal flows different ones.
    static std::uint64_t name(const flow::Flow& flow, std::uint64_t apart) {
        const std::uint64_t hosts = std::uint64_t{flow.source_host} << 32 | flow.destination_host;
        const std::uint64_t ports = std::uint64_t{flow.source_port} << 16 | flow.destination_port;
        const std::uint64_t owner = flow.connection ^ flow.subscriber;  // flows have one of both, and one of these
        return flow::mix(hosts ^ flow::mix(ports << 32 | (flow.b4 ^ flow.to_subscriber)) ^ flow::mix(owner ^ apart << 56));
    }

    /// Before anything arrives: a worker has no time for it.
    void make_room() { highest_.resize(places); }
    bool watches() const { return watches_; }
    void watch() { watches_ = true; }

    /// The frame `number` of a flow has arrived. Returns whether a later one had before.
    bool overtaken(std::uint64_t flow, std::uint64_t number) {
        Highest& own = highest_[flow % places];
        if (own.flow == flow && number < own.next) return number + 1 < own.next;
        own = {flow, number + 1};
        return false;
    }

  private:
    struct Highest {
        std::uint64_t flow = 0, next = 0;  // of no flow
    };
    std::vector<Highest> highest_;
    bool watches_ = false;
};

}  // namespace xlatperf::trial
