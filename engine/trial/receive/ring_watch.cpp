#include "trial/receive/ring_watch.h"

#include <algorithm>

#include "trial/send/sender.h"

namespace xlatperf::trial {

// More than what has left and hasn't arrived can't have come in the meantime.
void RingWatch::was_full() {
    std::uint64_t sent = 0;
    for (const auto& sender : senders_) sent = std::max(sent, sender->next_number());
    const bool none = arrivals_.latest().ticks == 0;
    overflow_.missed(none ? 0 : arrivals_.highest_number() + 1, sent);
}

}  // namespace xlatperf::trial
