// Single frames out, single frames in: for what no trial's traffic has in it, such as fragments, options and ICMP.
#pragma once

#include "control/links.h"
#include "message/fields.h"
#include "port/neighbors.h"

namespace xlatperf::control {

struct ExchangeRequest {
    struct Frame {
        flow::Side side = flow::Side::left;
        port::FrameBytes bytes;
    };
    std::vector<Frame> frames;
    port::FrameBytes until;  ///< what is in the frame that ends the wait, from `after_s` on; empty: all of `wait_s`
    double wait_s = 1, after_s = 0.02;
    unsigned most = 256;  ///< frames of each side that are kept
};

ExchangeRequest read_exchange(message::Fields& fields);

/// Sends them in order; how many the ports took, and what came, on each side in order. Throws MessageError for a frame that is
/// too large.
ordered_json exchange(Links& links, const ExchangeRequest& request, std::size_t largest_frame);

}  // namespace xlatperf::control
