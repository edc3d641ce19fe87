// The two open ports with the DUT behind each, and what happens on them while no trial runs.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "port/neighbors.h"
#include "port/port.h"
#include "trial/configuration.h"
#include "trial/streams.h"

namespace xlatperf::control {

using nlohmann::ordered_json;

class Links {
  public:
    /// A frame that a side received: its bytes, how many.
    using Seen = std::function<void(flow::Side, const std::uint8_t*, std::size_t)>;

    /// `session`: of the Tester's own frames (frame/probe.h).
    Links(std::unique_ptr<port::Port> left, std::unique_ptr<port::Port> right, std::uint32_t session);

    port::Port& port(flow::Side side) const { return *ports_[flow::index(side)]; }
    /// Only after `configure`.
    port::Neighbors& neighbors(flow::Side side) { return *neighbors_[flow::index(side)]; }

    /// At most so long. A DUT at the other end of a memif may be started meanwhile.
    void wait_until_up(double timeout_s);

    /// Who the Tester is on each link, and whom it asks. What was learnt before is forgotten. Throws MessageError where one port
    /// has both sides and their VLANs don't tell them apart.
    void configure(const trial::Configuration& configuration);

    /// Asks for the DUT anew on both sides; nothing in loopback. The answer to `resolve`: who answered within `timeout_s`, and
    /// why a port's link isn't up then.
    ordered_json resolve(double timeout_s);

    /// Before a trial: the DUT's MAC addresses are known, and it gets to know the Tester's (RFC 2544 §23 b). Throws MessageError.
    void meet(const trial::Configuration& configuration);

    /// Where frames go now.
    trial::LinkLayer link_layer() const;
    /// Gateways that answer from another MAC address than the one to which frames went when a trial began.
    ordered_json moved_gateways(const trial::LinkLayer& before) const;

    /// What has arrived is answered or dropped; a memif whose other end was started anew connects again.
    void serve() { serve(nullptr); }
    /// The same, and each frame is shown, also in loopback.
    void serve(const Seen& show);
    /// Test frames that have arrived on a side while no trial ran, since the last call: they are of trials that are over.
    std::uint64_t take_stale(flow::Side side) { return std::exchange(stale_[flow::index(side)], 0); }

  private:
    /// How soon a memif tries it again: more and more slowly, as what has begun takes time on a busy host.
    static constexpr double soonest_again_s = 0.02, latest_again_s = 0.2;
    static constexpr std::size_t most_other_tags = 8;  // told of each link

    void ask(double timeout_s, bool with_links);
    void connect_again();
    void look_at(flow::Side side, const std::uint8_t* at, std::size_t size, bool tagged_right);

    std::array<std::unique_ptr<port::Port>, 2> ports_;  // the left one outlives the right one
    std::array<std::unique_ptr<port::Neighbors>, 2> neighbors_;
    std::uint32_t session_;
    std::array<std::uint64_t, 2> stale_{};
    std::array<std::set<std::string>, 2> other_tags_;  // that frames had in place of the links', since neighbours were asked
    bool alone_ = true;                                // no DUT: nobody is asked
    /// When a memif was last tried again.
    std::chrono::steady_clock::time_point connected_ = std::chrono::steady_clock::now();
    double again_s_ = soonest_again_s;  // after this time
};

}  // namespace xlatperf::control
