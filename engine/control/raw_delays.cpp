#include "control/raw_delays.h"

#include <fstream>

#include "message/fields.h"

namespace xlatperf::control {

std::vector<std::string> write_raw_delays(const trial::Result& result, const std::string& path) {
    static_assert(sizeof(trial::RawDelay) == 16);
    std::vector<std::string> files;
    for (const auto direction : flow::both_directions) {
        if (!result.directions[flow::index(direction)]) continue;
        const auto& stream = *result.streams[flow::index(direction)];
        for (const auto of : flow::both_classes) {
            if (!stream.expected[flow::index(of)]) continue;
            const auto& received = result.received[flow::index(stream.arrives)];
            const auto& delays = received.classes[flow::index(of)].raw_delays;
            const std::string name = path + "-" + std::string(flow::name(direction)) + "-" + std::string(flow::name(of)) + ".bin";
            std::ofstream file(name, std::ios::binary | std::ios::trunc);
            file.write(reinterpret_cast<const char*>(delays.data()),
                       static_cast<std::streamsize>(delays.size() * sizeof(trial::RawDelay)));
            file.close();
            if (!file) throw message::MessageError("trial.raw_delays: " + name + " can't be written");
            files.push_back(name);
        }
    }
    return files;
}

}  // namespace xlatperf::control
