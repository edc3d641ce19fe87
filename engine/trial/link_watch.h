// Whether a port's link was up all the time: what is lost or can't be sent meanwhile is nothing of the DUT's.
#pragma once

#include <string>

#include "port/port.h"

namespace xlatperf::trial {

class LinkWatch {
  public:
    /// Begins now.
    explicit LinkWatch(const port::Port& port) : port_(port), changes_(port.link().changes) {}

    /// Called every few milliseconds; what is shorter shows in the kernel's count of carrier changes.
    void look() { note(port_.link()); }

    /// Ends now. Why it wasn't always up, in words; empty: it was.
    std::string over() {
        const port::LinkState now = port_.link();
        note(now);
        if (why_.empty() && now.changes != changes_) return port_.facts().name + " lost its carrier for a moment";
        return why_;
    }

  private:
    void note(const port::LinkState& now) {
        if (why_.empty()) why_ = now.why_down;
    }

    const port::Port& port_;
    std::uint32_t changes_;
    std::string why_;
};

}  // namespace xlatperf::trial
