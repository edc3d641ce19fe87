#include "wire/ethernet.h"

#include <cstdio>

namespace xlatperf::wire {

std::optional<Mac> parse_mac(std::string_view text) {
    if (text.size() != 17) return {};
    Mac mac{};
    for (std::size_t i = 0; i < 17; ++i) {
        const char c = text[i];
        if (i % 3 == 2) {
            if (c != ':') return {};
            continue;
        }
        int digit = -1;
        if (c >= '0' && c <= '9') digit = c - '0';
        if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
        if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
        if (digit < 0) return {};
        mac[i / 3] = static_cast<std::uint8_t>((mac[i / 3] << 4) | digit);
    }
    return mac;
}

std::string to_text(const Mac& mac) {
    std::array<char, 18> text{};
    std::snprintf(text.data(), text.size(), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
    return text.data();
}

}  // namespace xlatperf::wire
