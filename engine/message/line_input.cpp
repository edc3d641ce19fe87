#include "message/line_input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace xlatperf::message {

namespace {
constexpr std::string_view overlong_text = "(a line that is too long)";
}

void LineInput::wait(int timeout_ms) {
    if (ended_) return;
    pollfd entry{descriptor_, POLLIN, 0};
    if (poll(&entry, 1, timeout_ms) <= 0) return;
    std::array<char, 65536> bytes{};
    const ssize_t n = read(descriptor_, bytes.data(), bytes.size());
    if (n > 0) {
        buffer_.append(bytes.data(), static_cast<std::size_t>(n));
        drop_overlong_line();
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        ended_ = true;
        if (!buffer_.empty() && buffer_.back() != '\n') buffer_ += '\n';
    }
}

// A line without end can't be a message, and memory is bounded: what belongs to it is dropped up to its end.
void LineInput::drop_overlong_line() {
    if (overlong_) {
        const auto end = buffer_.find('\n', overlong_text.size());
        buffer_.erase(overlong_text.size(), end == std::string::npos ? end : end - overlong_text.size());
        overlong_ = end == std::string::npos;
    } else if (buffer_.size() > longest_line && buffer_.find('\n') == std::string::npos) {
        buffer_ = overlong_text;
        overlong_ = true;
    }
}

std::optional<std::string> LineInput::next() {
    const auto end = buffer_.find('\n');
    if (end == std::string::npos) return {};
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
}

}  // namespace xlatperf::message
