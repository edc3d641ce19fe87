// Frames of bursts to test with, compared with what is written and seen one by one: by the image and by the Classifier.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "flow/part.h"
#include "frame/burst.h"
#include "frame/classifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {

inline constexpr unsigned lengths[] = {1, 2, 7, 8, 9, 31, 32, 33, 63, 64};

// Frames in memory as a driver has them: larger than any that is looked at.
struct Frames {
    std::vector<Bytes> bytes;
    std::vector<std::uint8_t*> at;
    std::vector<std::uint16_t> size;

    void add(Bytes frame) {
        size.push_back(static_cast<std::uint16_t>(frame.size()));
        frame.resize(std::max(frame.size(), Image::readable));
        bytes.push_back(std::move(frame));
        at.push_back(bytes.back().data());
    }
    SeenBurst looked_at_by(const BurstVerifier& verifier) const {
        SeenBurst seen;
        const std::vector<const std::uint8_t*> readable(at.begin(), at.end());
        Looking looking({readable.data(), size.data(), static_cast<unsigned>(at.size())});
        verifier.begin(looking, seen);
        verifier.finish(looking, seen);
        return seen;
    }
};

// Every frame as the Classifier sees it, one by one.
inline void expect_as_one_by_one(const Stream& stream, Class of, const BurstVerifier& verifier, const Frames& frames) {
    const SeenBurst seen = frames.looked_at_by(verifier);
    const Classifier one_by_one(stream);
    for (std::size_t i = 0; i < frames.at.size(); ++i) {
        const Finding finding = one_by_one.classify(frames.at[i], frames.size[i]);
        bool right = finding.reason == Reason::expected;
        for (const auto remark :
             {counter::Remark::udp_checksum_zero, counter::Remark::udp_checksum_added, counter::Remark::encapsulation_limit})
            right = right && !finding.remarks.has(remark);
        ASSERT_EQ((seen.right >> i & 1) != 0, right) << "frame " << i << " of " << frames.at.size() << ": " << finding.text;
        if (!right) continue;
        ASSERT_EQ(seen.sequence[i], finding.sequence);
        ASSERT_EQ(seen.stamp48[i], finding.stamp48);
        if (verifier.has_connections()) ASSERT_EQ(seen.connection[i], stream.flows(of)(seen.sequence[i]).connection);
        const auto packet = parse_nested(frames.at[i], frames.size[i])->packet;
        const auto source = make_entry(packet.source);
        ASSERT_TRUE(std::equal(source.bytes.begin(),
                               source.bytes.begin() + static_cast<std::ptrdiff_t>(stream.expected_image(of).address_size()),
                               verifier.source_address(frames.at[i])));
        ASSERT_EQ(verifier.source_port(frames.at[i]), wire::load16(frames.at[i] + packet.transport));
        ASSERT_EQ((seen.df_differs >> i & 1) != 0, finding.remarks.has(counter::Remark::df_differs));
    }
    EXPECT_EQ(seen.right & ~flow::first_bits(static_cast<unsigned>(frames.at.size())), 0U);
}

/// Each bit of a frame, at different places of a burst, is seen as it is in a single frame (R7915-V). `frame`: of a number.
inline void expect_flips_seen_as_one_by_one(const Stream& stream, const std::function<Bytes(std::uint64_t)>& frame) {
    const Class of = stream.mix.only_class().value();
    const BurstVerifier verifier(stream, of);
    const Image& image = stream.expected_image(of);
    const std::size_t bits = 8 * image.size();
    if (bits > 8 * 200) return;
    for (std::size_t from = 0; from < bits; from += most_in_burst) {
        Frames frames;
        for (std::size_t bit = from; bit < std::min(bits, from + most_in_burst); ++bit) {
            auto damaged = frame(bit % 997);
            damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ (1U << (bit % 8)));
            if (bit % 5 == 0 && !image.outer()) repair_ip_checksum(damaged);
            frames.add(std::move(damaged));
        }
        expect_as_one_by_one(stream, of, verifier, frames);
        if (testing::Test::HasFatalFailure()) return;
    }
}

/// Where frames with a learnt destination go to.
using Learnt = std::function<std::pair<wire::Address, std::uint16_t>(std::uint64_t connection)>;

/// A burst is what the image of the stream's link writes one by one.
inline void expect_written_one_by_one(const Stream& stream, std::uint64_t first, unsigned n, const Learnt& learnt = {},
                                      bool all_at_once = false) {
    constexpr std::uint64_t ticks = 0xfedcba9876543210;
    const Class of = stream.mix.only_class().value();
    const BurstWriter writer(stream, of);
    const Image& image = stream.sent_image(of);
    const std::size_t from = std::min(image.size(), Image::head);
    std::vector<Bytes> frames(n, Bytes(std::max(image.size(), Image::head)));
    std::vector<std::uint8_t*> at;
    for (auto& one : frames) {
        std::copy_n(image.bytes() + from, image.size() - from, one.data() + from);
        at.push_back(one.data());
    }
    flow::Part part;
    part.take_all(first, n);
    HeaderBurst headers;
    if (all_at_once) {  // in two steps
        OfBurst<std::uint64_t> connections;
        writer.connections(part.sequence.data(), n, connections);
        writer.draw_connected(connections, n, headers);
    } else {
        writer.draw(part.sequence.data(), n, headers);
    }
    std::vector<Ends> ends;
    LearntEnds clients{};  // as the sender has them
    for (unsigned i = 0; i < n; ++i) {
        const flow::Flow flow = stream.flows(of)(first + i);
        ends.push_back(stream.sent_ends(of, flow));
        if (!learnt) continue;
        const auto [address, port] = learnt(flow.connection);
        ends.back().destination = make_entry(address);
        ends.back().destination_port = port;
        const std::uint8_t* address_at = ends.back().destination.bytes.data();
        if (image.family() == wire::Family::ipv4) {
            clients.words[0][i] = (piece(address_at, 0) & 0xffffffff) | std::uint64_t{port} << 32 | std::uint64_t{1} << 63;
        } else {
            clients.words[0][i] = piece(address_at, 0);
            clients.words[1][i] = piece(address_at, 1);
            clients.words[2][i] = port;
        }
        if (!all_at_once) writer.send_to(headers, i, address_at, port);
    }
    if (learnt && all_at_once) writer.send_to(headers, clients, n);
    for (auto& one : at) one += image.probe();
    writer.finish(n, headers);
    writer.write(headers, part.sequence.data(), n, ticks, at.data());
    for (unsigned i = 0; i < n; ++i) {
        Bytes right(std::max(image.size(), Image::head));
        const flow::Flow flow = stream.flows(of)(first + i);
        if (learnt) {
            image.write(right.data(), flow, ends[i], first + i, ticks);
        } else {
            image.write(right.data(), flow, image.ends(flow), first + i, ticks);
        }
        right.resize(image.size());
        frames[i].resize(image.size());
        ASSERT_EQ(frames[i], right) << "frame " << i << " of " << n << ", " << image.size() << " bytes";
    }
}

}  // namespace xlatperf::frame
