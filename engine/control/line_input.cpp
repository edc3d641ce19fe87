#include "control/line_input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace xlatperf::control {

void LineInput::wait(int timeout_ms) {
    if (ended_) return;
    pollfd entry{descriptor_, POLLIN, 0};
    if (poll(&entry, 1, timeout_ms) <= 0) return;
    std::array<char, 65536> bytes{};
    const ssize_t n = read(descriptor_, bytes.data(), bytes.size());
    if (n > 0) {
        buffer_.append(bytes.data(), static_cast<std::size_t>(n));
        // A line without end can't be a message, and memory is bounded.
        if (buffer_.size() > longest_line && buffer_.find('\n') == std::string::npos) buffer_ = "(a line that is too long)\n";
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        ended_ = true;
        if (!buffer_.empty() && buffer_.back() != '\n') buffer_ += '\n';
    }
}

std::optional<std::string> LineInput::next() {
    const auto end = buffer_.find('\n');
    if (end == std::string::npos) return {};
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
}

}  // namespace xlatperf::control
