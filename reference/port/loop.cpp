#include "port/loop.h"

#include <sched.h>
#include <time.h>

#include <csignal>
#include <cstdio>

#include "control/counters_json.h"
#include "control/requests.h"

namespace xlatperf::reference {

namespace {
volatile std::sig_atomic_t stop_signal = 0;

constexpr std::uint64_t request_interval_ns = 1'000'000;
constexpr std::uint64_t idle_before_sleep_ns = 20'000'000;  // between frames at 50 per second and more it never sleeps
constexpr long nap_ns = 100'000;                            // 100 frames at 1 Mfps: rings hold more
constexpr std::uint64_t exactness_ns = 60'000;              // so long before a held frame is due, the core isn't given up
}  // namespace

void Loop::stop(int signal_number) { stop_signal = signal_number; }
bool Loop::stopped() { return stop_signal != 0; }

void print_line(const Json& json) {
    const std::string line = json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
}

Loop::Loop(const Config& config, MbufPool& pool, Ports& ports, const Clock& clock, message::LineInput* requests)
    : idle_(config.idle), ports_(ports), clock_(clock), requests_(requests), gateway_(config.gateway, pool, ports) {
    gateway_.set_mac(Side::left, ports.mac(Side::left));
    gateway_.set_mac(Side::right, ports.mac(Side::right));
}

bool Loop::receive(Side side) {
    std::array<rte_mbuf*, Ports::burst> packets;
    const std::uint16_t count = ports_.receive(side, packets);
    if (count == 0) return false;
    const std::uint64_t now_ns = clock_.now_behind_loads_ns();
    last_arrival_ns_ = now_ns;
    for (std::uint16_t i = 0; i < count; ++i)
        if (const Frame frame = frame_of(packets[i])) gateway_.receive(side, frame, now_ns);
    return true;
}

Json Loop::all_counters(Json json) const {
    json["left"].update(ports_.counters_json(Side::left));
    json["right"].update(ports_.counters_json(Side::right));
    json["longest_pause_us"] = static_cast<double>(pauses_.longest_ns) / 1e3;
    json["paused_us"] = static_cast<double>(pauses_.sum_ns) / 1e3;
    return json;
}

void Loop::read_requests() {
    while (!end_reason_) {
        auto line = requests_->next();
        if (!line) {
            requests_->wait(0);
            line = requests_->next();
        }
        if (!line) {
            if (requests_->ended()) end_reason_ = "end of input";
            return;
        }
        if (line->find_first_not_of(" \t\r") == std::string::npos) continue;
        Answer answer = answer_request(gateway_, *line);
        if (answer.reset) ports_.reset_counters();
        if (answer.quit) {
            end_reason_ = "quit";
            end_id_ = answer.json.value("id", Json());
            return;
        }
        print_line(answer.counters ? all_counters(std::move(answer.json)) : answer.json);
        if (answer.reset) {
            pauses_ = {};
            routed_ = 0;
            last_turn_ns_ = clock_.now_ns();
        }
    }
}

/// Gives up the core when there's nothing to do, unless a held frame is due soon.
void Loop::rest(std::uint64_t now_ns) {
    if (idle_ == Idle::poll || ports_.sending()) return;
    const std::uint64_t due = gateway_.next_due();
    if (due != DelayLine::never && due < now_ns + exactness_ns) return;
    const bool long_idle = now_ns > last_arrival_ns_ + idle_before_sleep_ns;
    const bool time_to_nap = due == DelayLine::never || due > now_ns + nap_ns + exactness_ns;
    if (idle_ == Idle::sleep && long_idle && time_to_nap) {
        const timespec nap{0, nap_ns};
        nanosleep(&nap, nullptr);
    } else {
        sched_yield();
    }
}

void Loop::run() {
    last_arrival_ns_ = last_turn_ns_ = clock_.now_ns();
    std::uint64_t next_requests_ns = 0;
    while (!end_reason_ && !stopped()) {
        const bool left = receive(Side::left), right = receive(Side::right);
        const std::uint64_t now_ns = clock_.now_ns();
        const std::uint64_t routed =
            gateway_.counters(Direction::forward).received + gateway_.counters(Direction::reverse).received;
        pauses_.turn(now_ns - last_turn_ns_, routed != routed_ || gateway_.next_due() != DelayLine::never);
        routed_ = routed;
        last_turn_ns_ = now_ns;
        gateway_.poll(now_ns);
        ports_.flush();
        if (requests_ && now_ns >= next_requests_ns) {
            read_requests();
            next_requests_ns = now_ns + request_interval_ns;
        }
        if (!left && !right) rest(now_ns);
    }
    Json end = all_counters(counters_to_json(gateway_));
    end["response"] = "end";
    end["reason"] = end_reason_ ? end_reason_ : "signal";
    if (!end_id_.is_null()) end["id"] = end_id_;
    print_line(end);
}

}  // namespace xlatperf::reference
