// From the fields of a request to what it asks for. Each function documents its message as well (see Fields).
#pragma once

#include "message/fields.h"
#include "port/eal.h"
#include "port/port.h"
#include "trial/configuration.h"
#include "trial/schedule/description.h"

namespace xlatperf::control {

using message::Fields;
using message::MessageError;

struct OpenRequest {
    std::array<std::string, 2> ports;
    port::EalOptions eal;
    bool yield = true;
    double link_timeout_s = 5;
    unsigned largest_frame = 1522;
    unsigned queues = 1;
    port::NicTime nic_time;
};

inline constexpr std::uint64_t most_raw_delays = 100'000'000;  // of each direction, 16 bytes each

struct MappingsRequest {
    unsigned examples = 4;
    std::uint64_t one_in = 1;  ///< of the four tuples is compared
};

struct ShowRequest {
    trial::Description description;
    unsigned count = 4;
};

/// What all requests have: their name, and a number that the answer repeats.
void read_base(Fields& fields);

OpenRequest read_open(Fields& fields);
trial::Configuration read_configure(Fields& fields);
trial::Description read_trial(Fields& fields);
ShowRequest read_show(Fields& fields);
MappingsRequest read_mappings(Fields& fields);
std::string read_softwires(Fields& fields);  ///< the file to write
double read_resolve(Fields& fields);         ///< the timeout in seconds

}  // namespace xlatperf::control
