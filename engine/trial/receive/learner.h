// What the Responder does with a frame that is right in itself: compares the mapping with the one it knows (RFC 9693 §4.7), or
// learns it.
#pragma once

#include <bit>

#include "counter/counters.h"
#include "frame/match.h"
#include "frame/stream.h"
#include "state/table.h"
#include "wire/byte_order.h"

namespace xlatperf::trial {

class Learner {
  public:
    /// Of forward frames of a stateful technology. Both outlive the learner.
    Learner(state::Table& table, const frame::Stream& stream) : table_(table), stream_(stream) {
        const wire::Address& first = stream.pool->first;
        imagined_ = frame::make_entry(first);
        const frame::Image& image = stream.expected_image(flow::Class::foreground);
        source_at_ = image.source_offset();
        port_at_ = image.udp();
    }

    void prefetch(std::uint64_t connection) const { table_.prefetch(connection); }

    /// Which of these frames of a burst, whose connections and bytes these are, have to be learnt: from the first one on whose
    /// mapping isn't the one that is known, as others may be of the same connection. What is known was out of the pool when it
    /// was learnt. Entries are read close together, so that none waits for another.
    std::uint64_t from_unknown(std::uint64_t which, const std::uint64_t* connections, const std::uint8_t* const* at) const {
        const bool ipv4 = table_.family() == wire::Family::ipv4;
        const std::uint64_t unknown = ipv4 ? unknown_of<wire::Family::ipv4>(which, connections, at)
                                           : unknown_of<wire::Family::ipv6>(which, connections, at);
        return unknown == 0 ? 0 : which & ~std::uint64_t{0} << std::countr_zero(unknown);
    }

    /// In loopback nobody translates: the client is remembered as the pool's first address with its own port.
    counter::Reason learn(const frame::Match& match) {
        if (!stream_.any_source) return outcome(table_.learn(match.connection, imagined_.bytes.data(), match.source_port));
        if (!stream_.pool->contains(match.source, match.source_port)) return counter::Reason::outside_pool;
        return outcome(table_.learn(match.connection, match.source, match.source_port));
    }

  private:
    template <wire::Family family>
    std::uint64_t unknown_of(std::uint64_t which, const std::uint64_t* connections, const std::uint8_t* const* at) const {
        std::uint64_t found = 0;
        for (; which != 0; which &= which - 1) {
            const auto i = std::countr_zero(which);
            const std::uint8_t* const source = stream_.any_source ? at[i] + source_at_ : imagined_.bytes.data();
            const bool known = table_.knows<family>(connections[i], source, wire::load16(at[i] + port_at_));
            found |= std::uint64_t{!known} << i;
        }
        return found;
    }
    static counter::Reason outcome(state::Learnt learnt) {
        return learnt == state::Learnt::changed ? counter::Reason::mapping_changed : counter::Reason::expected;
    }

    state::Table& table_;
    const frame::Stream& stream_;
    frame::AddressEntry imagined_;
    std::size_t source_at_, port_at_;  // in a frame
};

}  // namespace xlatperf::trial
