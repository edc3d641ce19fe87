// Any lines of JSON. What is wrong with a message is said in one line; what is right can be used: configurations give frames.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "control/exchange.h"
#include "control/requests.h"
#include "frame/classifier.h"
#include "technology/technology.h"
#include "trial/streams.h"

using namespace xlatperf;
using control::Fields;
using nlohmann::json;

namespace {

void use(const trial::Configuration& configuration) {
    trial::Description description;
    description.frame_sizes = {104};
    if (configuration.connections) {
        const auto count = std::min<std::uint64_t>(configuration.connections->space.most(), 1'000'000);
        description.connections = {count, flow::Phase::steady};
    }
    if (!trial::impossible_size(configuration, description, 1522).empty()) std::abort();
    for (const auto direction : flow::both_directions) {
        if (configuration.technology->hairpins() && direction == flow::Direction::reverse) continue;  // a session refuses that
        const auto stream = trial::make_stream(configuration, description, {}, direction);
        for (const std::uint64_t sequence : {0U, 1U, 999U}) {
            const auto frame = frame::Classifier(stream).expected_bytes(sequence, 5);
            const auto finding = frame::Classifier(stream).classify(frame.data(), frame.size());
            // The frame has the client's own port, which may be outside the pool.
            const bool outside = stream.any_source && finding.reason == counter::Reason::outside_pool;
            if (finding.reason != counter::Reason::expected && !outside) std::abort();
        }
    }
    for (const auto side : flow::both_sides) {
        configuration.technology->routes(side);
        trial::neighbor_configuration(configuration, side, {});
    }
}

void read(const json& message) {
    constexpr std::array names{"open", "configure", "exchange", "show", "softwires", "mappings", "resolve", "trial"};
    const auto name = message.value("request", "");
    // another name is refused before anything is read
    Fields fields(&message, std::find(names.begin(), names.end(), name) == names.end() ? "" : name, nullptr);
    control::read_base(fields);
    if (name == "open") control::read_open(fields);
    if (name == "configure") use(control::read_configure(fields));
    if (name == "exchange") control::read_exchange(fields);
    if (name == "show") control::read_show(fields);
    if (name == "softwires") control::read_softwires(fields);
    if (name == "mappings") control::read_mappings(fields);
    if (name == "resolve") control::read_resolve(fields);
    if (name == "trial") trial::make_schedule(control::read_trial(fields), 1e9);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    const json message = json::parse(text, nullptr, false);
    if (message.is_discarded() || !message.is_object()) return 0;
    if (message.contains("request") && !message["request"].is_string()) return 0;
    try {
        read(message);
    } catch (const control::MessageError& error) {
        const std::string line = error.what();
        if (line.empty() || line.find('\n') != std::string::npos || line.size() > 1000) std::abort();
    }
    return 0;
}
