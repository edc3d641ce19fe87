// Who sends and who receives in a trial: for each direction as many senders and receivers as its ports have queues.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "trial/receive/receiver.h"
#include "trial/run.h"
#include "trial/send/sender.h"
#include "trial/worker.h"

namespace xlatperf::trial {

struct Roles {
    std::array<std::vector<std::unique_ptr<Sender>>, 2> senders;      ///< by direction
    std::array<std::vector<std::unique_ptr<Receiver>>, 2> receivers;  ///< by side
    std::array<std::unique_ptr<frame::Reassembly>, 2> reassemblies;   ///< by side; null where fragments aren't put together
};

/// For the streams of `result`, whose arrivals it makes as well. Throws port::PortError where a NIC doesn't do what it was opened
/// for.
Roles make_roles(const Bed& bed, const Configuration& configuration, const Description& description, double hz, Result& result);

/// Who sends or receives on a queue of a port.
struct Turn {
    std::size_t worker;
    flow::Side side;
    unsigned queue;
    bool sends;
};

/// Which worker runs which role: they are shared out in turn, but a queue's sender and receiver stay together where there aren't
/// more workers than queues.
std::vector<Turn> turns(std::size_t workers, unsigned queues);

std::vector<Worker> share_out(const Roles& roles, const Bed& bed);

}  // namespace xlatperf::trial
