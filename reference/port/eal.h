// DPDK's Environment Abstraction Layer, started so that several programs can run beside each other, without root.
#pragma once

#include "control/config.h"

namespace xlatperf::reference {

class Eal {
  public:
    /// Throws message::MessageError if DPDK can't start.
    Eal(const Config& config, const char* program);
    /// Removes the runtime directory, too.
    ~Eal();
    Eal(const Eal&) = delete;
    Eal& operator=(const Eal&) = delete;
    /// Ends the process as it is: the kernel takes all back. A memif of DPDK 22.11 that is closed while the other end connects,
    /// as one does after a restart, brings the process down.
    [[noreturn]] static void leave();
    bool hugepages() const { return hugepages_; }

  private:
    bool hugepages_ = false;
};

/// The size of one buffer's data: the largest frame, what translation adds, and DPDK's headroom.
unsigned buffer_data_size(const Config& config);

}  // namespace xlatperf::reference
