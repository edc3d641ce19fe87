#include "port/words.h"

#include <rte_errno.h>
#include <rte_log.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace xlatperf::port {

namespace {

constexpr std::size_t most = 4096;
constexpr std::array<std::string_view, 2> echoes = {"EAL: Driver cannot attach the device", "EAL: Failed to attach device"};

// DPDK's own threads say something too.
std::mutex mutex;
std::string said;

ssize_t listen(void*, const char* text, std::size_t size) {
    const std::lock_guard guard(mutex);
    said.append(text, size);
    if (said.size() > most) said.erase(0, said.size() - most);
    std::fwrite(text, 1, size, stderr);
    return static_cast<ssize_t>(size);
}

// What the bus adds to every failure of a driver.
bool is_echo(const std::string& line) {
    return std::ranges::any_of(echoes, [&](std::string_view start) { return line.starts_with(start); });
}

std::string trimmed(const std::string& line) {
    constexpr auto blank = " \t\r";
    const auto first = line.find_first_not_of(blank);
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(blank) - first + 1);
}

}  // namespace

void keep_words() {
    static std::FILE* const stream = fopencookie(nullptr, "w", {nullptr, listen, nullptr, nullptr});
    rte_openlog_stream(stream == nullptr ? stderr : stream);
}

std::string take_words() {
    std::istringstream text;
    {
        const std::lock_guard guard(mutex);
        text.str(std::exchange(said, {}));
    }
    std::vector<std::string> lines;
    std::string all;
    for (std::string line; std::getline(text, line);) {
        line = trimmed(line);
        if (line.empty() || is_echo(line) || std::ranges::find(lines, line) != lines.end()) continue;
        lines.push_back(line);
        all += (all.empty() ? "" : "; ") + line;
    }
    return all;
}

std::string refusal(int error) {
    const std::string words = take_words();
    return words.empty() ? rte_strerror(error) : words;
}

}  // namespace xlatperf::port
