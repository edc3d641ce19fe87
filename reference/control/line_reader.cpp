#include "control/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace xlatperf::reference {

std::optional<std::string> LineReader::take() {
    const std::size_t end = buffer_.find('\n');
    if (end == std::string::npos) return {};
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
}

std::optional<std::string> LineReader::read(int timeout_ms) {
    if (auto line = take()) return line;
    while (!at_end_) {
        pollfd waiting{descriptor_, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, timeout_ms);
        if (ready == 0) return {};
        if (ready < 0) {
            if (errno == EINTR) return {};
            at_end_ = true;
            break;
        }
        std::array<char, 65536> bytes;
        const ssize_t size = ::read(descriptor_, bytes.data(), bytes.size());
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) return {};
        if (size <= 0 || buffer_.size() > longest_line) {
            at_end_ = true;
            // The last line may lack its end of line.
            if (!buffer_.empty() && buffer_.size() <= longest_line) buffer_ += '\n';
            break;
        }
        buffer_.append(bytes.data(), static_cast<std::size_t>(size));
        if (auto line = take()) return line;
    }
    return take();
}

}  // namespace xlatperf::reference
