// Any line of JSON as the reference device's configuration, and as a request to one. What is wrong is said in one line; a request
// that is refused changes nothing.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "control/config.h"
#include "control/requests.h"

using namespace xlatperf;
using reference::Json;

namespace {

struct NoFrames final : reference::FramePool {
    reference::Frame allocate() override { return {}; }
    void free(reference::Frame) override {}
};
struct Nowhere final : reference::Transmitter {
    void transmit(reference::Side, reference::Frame) override {}
};

void check_line(const std::string& line) {
    if (line.empty() || line.find('\n') != std::string::npos || line.size() > 1000) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    NoFrames pool;
    Nowhere link;
    reference::Gateway gateway({}, pool, link);
    const Json answer = reference::answer_request(gateway, text).json;
    if (answer.contains("error")) check_line(answer["error"].get<std::string>());
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return 0;
    try {
        const auto config = reference::config_from_json(json);
        reference::Gateway(config.gateway, pool, link);
    } catch (const message::MessageError& error) {
        check_line(error.what());
    }
    return 0;
}
