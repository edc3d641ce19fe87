// Lines from a file descriptor, without blocking longer than asked.
#pragma once

#include <optional>
#include <string>

namespace xlatperf::reference {

class LineReader {
  public:
    static constexpr std::size_t longest_line = 16u << 20;
    explicit LineReader(int descriptor) : descriptor_(descriptor) {}
    /// A line if one is there by `timeout_ms` (-1: waits for it).
    std::optional<std::string> read(int timeout_ms);
    /// Nothing more will come.
    bool at_end() const { return at_end_ && buffer_.find('\n') == std::string::npos; }

  private:
    int descriptor_;
    std::string buffer_;
    bool at_end_ = false;
    std::optional<std::string> take();
};

}  // namespace xlatperf::reference
