// One engine's life: ports that are opened once, and the requests that are carried out on them.
#pragma once

#include <memory>
#include <random>
#include <span>

#include "control/answers.h"
#include "control/requests.h"
#include "message/line_input.h"
#include "trial/schedule/counter_agreement.h"

namespace xlatperf::control {

class Session {
  public:
    explicit Session(message::LineInput& input);
    ~Session();

    /// Reads and answers until `quit` or the end of the input.
    void run();

    /// What can be asked for, in the order in which it is told.
    struct RequestKind {
        std::string_view name, text;
        void (*read)(Fields& message);
        ordered_json (Session::*answer)(Fields& message);
    };
    static std::span<const RequestKind> requests();

  private:
    struct Opened;

    ordered_json answer(const std::string& line);
    ordered_json answer(const nlohmann::json& message);
    ordered_json open(Fields& message);
    ordered_json configure(Fields& message);
    ordered_json describe(Fields& message);
    ordered_json show(Fields& message);
    ordered_json resolve(Fields& message);
    ordered_json exchange(Fields& message);
    ordered_json trial(Fields& message);
    ordered_json mappings(Fields& message);
    ordered_json softwires(Fields& message);
    ordered_json counters(Fields& message);
    ordered_json stop(Fields& message);
    ordered_json quit(Fields& message);
    void check_directions(const std::string& name, const trial::Description& asked) const;
    void check_connections(const std::string& name, const trial::ConnectionPhase& asked) const;
    void prepare_table(trial::Description& description);

    void watch_input(std::atomic<bool>& stop);
    void need_configuration() const;
    void need_ports() const;

    message::LineInput& input_;
    trial::Clock clock_;
    std::unique_ptr<Opened> opened_;
    std::optional<trial::Configuration> configuration_;
    std::vector<trial::CounterOffset> counters_;
    std::unique_ptr<state::Table> table_;  ///< what phase 1 has learnt, of stateful technologies
    const std::uint32_t session_ = std::random_device()() & frame::probe::most_session;
    const frame::Key key_ = frame::draw_key();
    std::uint32_t draw_ = 0;            ///< its four tuples
    std::vector<std::string> waiting_;  ///< lines that came during a trial
    bool quit_ = false, eal_started_ = false;
};

}  // namespace xlatperf::control
