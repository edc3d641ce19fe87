// From results to the JSON of the answers (docs/protocol.md).
#pragma once

#include <nlohmann/json.hpp>

#include "port/port.h"
#include "state/survey.h"
#include "trial/run.h"
#include "trial/schedule/counter_agreement.h"

namespace xlatperf::control {

using nlohmann::ordered_json;

double rounded(double value, double digits);  ///< to a multiple of 1 / `digits`

ordered_json answer_clock(const trial::Frequency& frequency);
/// What each worker does in a trial, of both directions: on which core, and as what of which side and queue.
ordered_json answer_roles(const std::vector<unsigned>& cores, unsigned queues);

/// `cores` are those of the workers, in the same order.
ordered_json answer_counters(const std::vector<trial::CounterOffset>& counters, const std::vector<unsigned>& cores,
                             const trial::Frequency& frequency);
ordered_json answer_port(const port::PortFacts& facts, const port::LinkState& link);
ordered_json answer_describe(const trial::Configuration& configuration);
ordered_json answer_trial(const trial::Configuration& configuration, const trial::Result& result,
                          const trial::Description& description);
/// After a trial of a stateful technology.
ordered_json answer_connections(const trial::Configuration& configuration, const trial::ConnectionPhase& phase,
                                const state::Table& table);
ordered_json answer_mappings(const trial::Configuration& configuration, const state::Table& table, const state::Survey& survey,
                             double elapsed_s);
/// Who the first `description.lost_among` frames are between, and which of them are lost: into the classes that have lost any.
void answer_lost_among(ordered_json& direction, const trial::Configuration& configuration, const trial::DirectionResult& result,
                       const frame::Stream& stream, const trial::LostNumbers& lost, const trial::Description& description);
/// One frame, sent and expected, and whose it is.
ordered_json answer_frame(const trial::Configuration& configuration, const frame::Stream& stream, std::uint64_t sequence);
/// The first frames of the directions asked for, sent and expected.
ordered_json answer_show(const trial::Configuration& configuration, const trial::Description& description, unsigned count);

}  // namespace xlatperf::control
