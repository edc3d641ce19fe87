// What the Responder does with a frame that is right in itself: compares the mapping with the one it knows (RFC 9693 §4.7), or
// learns it.
#pragma once

#include "counter/counters.h"
#include "frame/match.h"
#include "frame/stream.h"
#include "state/table.h"

namespace xlatperf::trial {

class Learner {
  public:
    /// Of forward frames of a stateful technology. Both outlive the learner.
    Learner(state::Table& table, const frame::Stream& stream) : table_(table), stream_(stream) {
        const wire::Address& first = stream.pool->first;
        imagined_ = frame::make_entry(first);
    }

    [[gnu::always_inline]] void prefetch(std::uint64_t connection) const { table_.prefetch(connection); }  // as there

    /// Whether this mapping is the one that is known. What is known was out of the pool when it was learnt.
    bool knows(std::uint64_t connection, const std::uint8_t* source, std::uint16_t source_port) const {
        return table_.knows(connection, stream_.any_source ? source : imagined_.bytes.data(), source_port);
    }

    /// In loopback nobody translates: the client is remembered as the pool's first address with its own port.
    counter::Reason learn(const frame::Match& match) {
        if (!stream_.any_source) return outcome(table_.learn(match.connection, imagined_.bytes.data(), match.source_port));
        if (!stream_.pool->contains(match.source, match.source_port)) return counter::Reason::outside_pool;
        return outcome(table_.learn(match.connection, match.source, match.source_port));
    }

  private:
    static counter::Reason outcome(state::Learnt learnt) {
        return learnt == state::Learnt::changed ? counter::Reason::mapping_changed : counter::Reason::expected;
    }

    state::Table& table_;
    const frame::Stream& stream_;
    frame::AddressEntry imagined_;
};

}  // namespace xlatperf::trial
