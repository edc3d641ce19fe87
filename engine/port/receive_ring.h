// How many frames can wait for a receiver: what a port bears when nobody polls it.
#pragma once

#include <string>

namespace xlatperf::port {

/// Of a queue of the port with this name and DPDK driver; `descriptors`: what the queue was given. 0: unknown.
unsigned receive_ring(const std::string& port_name, const std::string& driver, unsigned descriptors);

}  // namespace xlatperf::port
