// The one thread: receives, forwards, sends, reads requests.
#pragma once

#include "control/config.h"
#include "gateway/gateway.h"
#include "message/line_input.h"
#include "port/clock.h"
#include "port/pauses.h"
#include "port/ports.h"

namespace xlatperf::reference {

class Loop {
  public:
    Loop(const Config& config, MbufPool& pool, Ports& ports, const Clock& clock, message::LineInput* requests);
    /// Until "quit", the end of the requests, or `stop()`. Prints the line of the end.
    void run();
    /// For signal handlers.
    static void stop(int signal_number);
    static bool stopped();

  private:
    Idle idle_;
    Ports& ports_;
    const Clock& clock_;
    message::LineInput* requests_;  // nullptr: there are none
    Gateway gateway_;
    std::uint64_t last_arrival_ns_ = 0;
    std::uint64_t last_turn_ns_ = 0;
    std::uint64_t routed_ = 0;  // frames that were not for the gateway itself
    Pauses pauses_;
    const char* end_reason_ = nullptr;
    Json end_id_;

    bool receive(Side side);
    void read_requests();
    void rest(std::uint64_t now_ns);
    Json all_counters(Json json) const;
};

void print_line(const Json& json);

}  // namespace xlatperf::reference
