#include "gateway/neighbors.h"

namespace xlatperf::reference {

namespace {
constexpr std::size_t known_limit = 65536;  // learnt from whatever arrives, so bounded
}

std::deque<Departure> Neighbors::learn(const NeighborAddress& address, const wire::Mac& mac) {
    if (known_.size() < known_limit || known_.contains(address)) known_[address] = mac;
    const auto at = unresolved_.find(address);
    if (at == unresolved_.end()) return {};
    std::deque<Departure> waiting = std::move(at->second.waiting);
    unresolved_.erase(at);
    return waiting;
}

void Neighbors::wait(const NeighborAddress& address, const Departure& departure, std::uint64_t now_ns) {
    auto at = unresolved_.find(address);
    if (at == unresolved_.end()) {
        if (unresolved_.size() >= unresolved_limit) return give_up_(departure);
        at = unresolved_.emplace(address, Unresolved{{}, now_ns, 1}).first;
        ask_(address);
    }
    at->second.waiting.push_back(departure);
    if (at->second.waiting.size() > waiting_limit) {  // RFC 4861 §7.2.2: the new one replaces the oldest
        give_up_(at->second.waiting.front());
        at->second.waiting.pop_front();
    }
}

void Neighbors::poll(std::uint64_t now_ns) {
    for (auto at = unresolved_.begin(); at != unresolved_.end();) {
        Unresolved& entry = at->second;
        if (now_ns < entry.asked_ns + retransmit_ns) {
            ++at;
            continue;
        }
        if (entry.asked == attempts) {
            for (const Departure& departure : entry.waiting) give_up_(departure);
            at = unresolved_.erase(at);
            continue;
        }
        entry.asked_ns = now_ns;
        ++entry.asked;
        ask_(at->first);
        ++at;
    }
}

void Neighbors::clear_waiting() {
    for (auto& [address, entry] : unresolved_)
        for (const Departure& departure : entry.waiting) give_up_(departure);
    unresolved_.clear();
}

}  // namespace xlatperf::reference
