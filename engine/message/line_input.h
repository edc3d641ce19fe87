// Lines from a file descriptor, without blocking longer than asked.
#pragma once

#include <optional>
#include <string>

namespace xlatperf::message {

class LineInput {
  public:
    static constexpr std::size_t longest_line = 16U << 20;

    explicit LineInput(int descriptor) : descriptor_(descriptor) {}

    /// Waits at most `timeout_ms` for input; afterwards `next` has what has arrived.
    void wait(int timeout_ms);
    /// The next whole line, without its end.
    std::optional<std::string> next();
    /// The other end is gone, and all its lines are read.
    bool ended() const { return ended_ && buffer_.empty(); }

  private:
    void drop_overlong_line();

    int descriptor_;
    std::string buffer_;
    bool ended_ = false, overlong_ = false;
};

}  // namespace xlatperf::message
