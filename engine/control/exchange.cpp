#include "control/exchange.h"

#include <time.h>

#include <algorithm>
#include <charconv>

#include "frame/text.h"
#include "port/service.h"
#include "wire/ethernet.h"

namespace xlatperf::control {

using message::Fields;
using message::MessageError;

namespace {

constexpr std::size_t most_frames = 256, longest_until = 64;

// The bytes of a field that has an even number of hexadecimal digits, `least` to `most` of them.
port::FrameBytes read_bytes(Fields& fields, const std::string& key, const std::string& digits, std::size_t least,
                            std::size_t most) {
    port::FrameBytes bytes(digits.size() / 2);
    bool right = digits.size() % 2 == 0 && bytes.size() >= least && bytes.size() <= most;
    for (std::size_t i = 0; right && i < bytes.size(); ++i) {
        const char* at = digits.data() + 2 * i;
        const auto [end, error] = std::from_chars(at, at + 2, bytes[i], 16);
        right = error == std::errc() && end == at + 2;
    }
    fields.check(right, key, "\"" + digits.substr(0, 40) + "\"",
                 std::to_string(least) + " to " + std::to_string(most) + " bytes as hexadecimal digits");
    return bytes;
}

}  // namespace

ExchangeRequest read_exchange(Fields& fields) {
    ExchangeRequest request;
    fields.objects("frames", "frames to send, in this order", [&](Fields& own) {
        ExchangeRequest::Frame frame;
        own.require("side", frame.side, flow::side_words, "the port that sends it");
        std::string digits;
        own.require("hex", digits, "the frame from its destination MAC address on, without FCS");
        frame.bytes = read_bytes(own, "hex", digits, wire::ethernet::size, 9614);
        request.frames.push_back(std::move(frame));
    });
    fields.check(request.frames.size() <= most_frames, "frames", request.frames.size(), "at most " + std::to_string(most_frames));
    std::string until;
    fields.read("until", until, "hexadecimal digits: the wait ends `after_s` after a frame that has these bytes in it");
    request.until = read_bytes(fields, "until", until, 0, longest_until);
    fields.read("wait_s", request.wait_s, 0, 10, "how long frames are received");
    fields.read("after_s", request.after_s, 0, 10, "how long they are received after the frame of `until`");
    fields.read("most", request.most, 1, 4096, "frames of each side that are told");
    fields.no_more();
    return request;
}

ordered_json exchange(Links& links, const ExchangeRequest& request, std::size_t largest_frame) {
    for (const auto& frame : request.frames) {
        if (frame.bytes.size() + wire::ethernet::check_sequence <= largest_frame) continue;
        throw MessageError("exchange.frames.hex: " + std::to_string(frame.bytes.size()) +
                           " bytes are not allowed: at most open.largest_frame less the FCS, " +
                           std::to_string(largest_frame - wire::ethernet::check_sequence));
    }
    std::array came = {ordered_json::array(), ordered_json::array()};
    std::size_t more = 0;
    links.serve();  // what has come before
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed_s = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    double until_s = request.wait_s;
    bool seen_until = false;
    const auto keep = [&](flow::Side side, const std::uint8_t* at, std::size_t size) {
        auto& those = came[flow::index(side)];
        if (those.size() < request.most)
            those.push_back({{"hex", frame::hex_bytes(at, size)}, {"after_us", elapsed_s() * 1e6}});
        else
            ++more;
        if (seen_until || request.until.empty()) return;
        const auto* const end = at + size;
        if (std::search(at, end, request.until.begin(), request.until.end()) == end) return;
        seen_until = true;
        until_s = std::min(request.wait_s, elapsed_s() + request.after_s);
    };
    std::size_t sent = 0;
    for (const auto& frame : request.frames) sent += port::send_now(links.port(frame.side), {frame.bytes});
    do {
        links.serve(keep);
        const timespec pause{0, 1'000'000};
        nanosleep(&pause, nullptr);
    } while (elapsed_s() < until_s);
    return {{"sent", sent}, {"left", std::move(came[0])}, {"right", std::move(came[1])},
            {"more", more}, {"until_seen", seen_until},   {"waited_s", elapsed_s()}};
}

}  // namespace xlatperf::control
