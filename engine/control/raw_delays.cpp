#include "control/raw_delays.h"

#include <fstream>

#include "control/fields.h"

namespace xlatperf::control {

std::vector<std::string> write_raw_delays(const trial::Result& result, const std::string& path) {
    static_assert(sizeof(trial::RawDelay) == 16);
    std::vector<std::string> files;
    for (const auto direction : flow::both_directions) {
        if (!result.directions[flow::index(direction)]) continue;
        const std::string name = path + "-" + std::string(flow::name(direction)) + ".bin";
        std::ofstream file(name, std::ios::binary | std::ios::trunc);
        for (const auto& tally : result.receivers[flow::index(flow::receiver(direction))]->result().classes) {
            file.write(reinterpret_cast<const char*>(tally.raw_delays.data()),
                       static_cast<std::streamsize>(tally.raw_delays.size() * sizeof(trial::RawDelay)));
        }
        file.close();
        if (!file) throw MessageError("trial.raw_delays: " + name + " can't be written");
        files.push_back(name);
    }
    return files;
}

}  // namespace xlatperf::control
