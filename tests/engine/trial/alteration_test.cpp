// Frames that no DUT may forward: what is changed in them, and that nothing else is.
#include <random>

#include "frame/another_subscriber.h"
#include "trial/map_frames.h"

namespace xlatperf::trial {
namespace {

using flow::Direction;
using frame::Change;
using frame::HeaderField;
using wire::Bits128;

constexpr Bits128 all_bits = ~Bits128{0};

Bytes altered(const frame::Stream& stream, std::uint64_t i) {
    Bytes bytes = leaving(stream, i);
    stream.alteration.apply(bytes.data());
    return bytes;
}
Bits128 number_at(const Bytes& frame, std::size_t at, std::size_t size) {
    Bits128 number = 0;
    for (std::size_t i = 0; i < size; ++i) number = number << 8 | frame[at + i];
    return number;
}
// Where the fields are in frames whose packet begins at `at`.
std::size_t offset_of(HeaderField field, std::size_t at, wire::Family family) {
    const bool ipv4 = family == wire::Family::ipv4;
    const std::size_t udp = at + (ipv4 ? 20 : 40);
    switch (field) {
        case HeaderField::outer_source:
            return 14 + 8;
        case HeaderField::outer_destination:
            return 14 + 24;
        case HeaderField::source:
            return at + (ipv4 ? 12 : 8);
        case HeaderField::destination:
            return at + (ipv4 ? 16 : 24);
        case HeaderField::source_port:
            return udp;
        default:
            return udp + 2;
    }
}

TEST(Alteration, ChangesTheseBitsAndTheChecksumsFit) {  // RFC 1624 §3, RFC 768
    std::mt19937_64 random(4);
    const auto bits = [&] { return static_cast<Bits128>(random()) << 64 | random(); };
    for (int round = 0; round < 400; ++round) {
        const std::string name = round % 2 == 0 ? "map-e" : "map-t", role = round % 4 < 2 ? "br" : "ce";
        const auto configuration = map(name, role);
        const auto direction = round % 8 < 4 ? Direction::forward : Direction::reverse;
        const flow::Side from = flow::sender(direction);
        const auto family = configuration.technology->family(from);
        const bool in_tunnel = configuration.technology->tunnel(from).has_value();
        std::vector<Change> changes;
        for (std::size_t i = 0; i < frame::header_field_names.size(); ++i) {
            const auto field = static_cast<HeaderField>(i);
            const unsigned width = frame::width(field, family, in_tunnel);
            if (width > 0 && random() % 2 == 0)
                changes.push_back({field, random() % 2 == 0 ? all_bits : bits(), bits() >> (128 - width)});
        }
        const auto stream = stream_of(configuration, direction, 64, changes);
        EXPECT_EQ(stream.alteration.none(), changes.empty());
        for (std::uint64_t i = 0; i < 5; ++i) {
            const Bytes before = leaving(stream, i), after = altered(stream, i);
            const std::size_t at = in_tunnel ? inner : ip;
            expect_right_checksums(after, at);
            Bytes expected = before;
            for (const auto& change : changes) {
                const std::size_t size = frame::width(change.field, family, in_tunnel) / 8;
                const std::size_t offset = offset_of(change.field, at, family);
                const Bits128 kept = change.keep & all_bits >> (128 - 8 * size);
                EXPECT_EQ(number_at(after, offset, size), (number_at(before, offset, size) & kept) ^ change.flip);
                std::copy_n(after.begin() + static_cast<std::ptrdiff_t>(offset), size,
                            expected.begin() + static_cast<std::ptrdiff_t>(offset));
            }
            const std::size_t udp_checksum = at + (family == wire::Family::ipv4 ? 20 : 40) + 6;
            for (std::size_t k = 0; k < expected.size(); ++k) {
                const bool in_checksum = (k | 1) == (udp_checksum | 1) ||
                                         (family == wire::Family::ipv4 && (k | 1) == ((at + wire::ipv4::checksum) | 1));
                if (!in_checksum) {
                    EXPECT_EQ(after[k], expected[k]) << k;
                }
            }
        }
    }
}

// The address and the IPv4 address of somebody else, exactly; everything else stays, and checksums fit (RFC 7597 §8.1).
TEST(Alteration, TakesWhatAnotherSubscriberHas) {
    for (const std::string name : {"map-e", "map-t"}) {
        const auto configuration = map(name, "br", example + R"(, "ces": 5)");
        const auto address = name == "map-e" ? HeaderField::outer_source : HeaderField::source;
        std::vector<Change> changes = {{address, all_bits, 0, true}};
        if (name == "map-e") changes.push_back({HeaderField::source, all_bits, 0, true});
        const auto stream = stream_of(configuration, Direction::forward, 64, changes);
        ASSERT_TRUE(stream.alteration.needs_another());
        const flow::Subscribers& ces = *stream.sent_image(flow::Class::foreground).subscribers();
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Bytes before = leaving(stream, i);
            const auto another = frame::of_another_subscriber(stream, i);
            ASSERT_FALSE(another.empty());
            Bytes after = before;
            stream.alteration.apply(after.data(), another.data());
            expect_right_checksums(after, name == "map-e" ? inner : ip);
            const auto seen = ipv6_at(after, 14 + 8);
            EXPECT_NE(seen, ipv6_at(before, 14 + 8));
            bool somebodys = false;
            for (std::uint32_t k = 0; k < ces.count(); ++k) somebodys |= ces.ipv6(ces(k), 0) == seen;
            EXPECT_TRUE(somebodys) << wire::to_text(wire::Address(seen));
            if (name == "map-e") {
                EXPECT_NE(ipv4_at(after, inner + 12), ipv4_at(before, inner + 12));
            }
        }
    }
}

// With one subscriber the highest bit makes it nobody's.
TEST(Alteration, WithoutAnotherSubscriberItIsNobodys) {
    const auto configuration = map("map-e", "br", example + R"(, "ces": 1)");
    const auto stream = stream_of(configuration, Direction::forward, 64, {{HeaderField::outer_source, all_bits, 0, true}});
    EXPECT_TRUE(frame::of_another_subscriber(stream, 0).empty());
    const Bytes before = leaving(stream, 0), after = altered(stream, 0);
    EXPECT_EQ(before[14 + 8] ^ after[14 + 8], 0x80);
}

TEST(Alteration, OfFieldsThatFramesHave) {
    const auto impossible = [](const std::string& role, const std::vector<Change>& changes) {
        Description description;
        description.changes = changes;
        return impossible_change(map("map-e", role), description);
    };
    EXPECT_EQ(impossible("br", {{HeaderField::source_port, all_bits, 1}, {HeaderField::source, all_bits, 0xffffffff}}), "");
    EXPECT_EQ(impossible("br", {{HeaderField::source_port, all_bits, 1}, {HeaderField::outer_source, all_bits, 1}}),
              "trial.alter[1].field: \"outer_source\" is not allowed: reverse frames aren't in a tunnel");
    EXPECT_EQ(impossible("ce", {{HeaderField::outer_destination, all_bits, 1}}),
              "trial.alter[0].field: \"outer_destination\" is not allowed: forward frames aren't in a tunnel");
    EXPECT_EQ(impossible("br", {{HeaderField::source, all_bits, Bits128{1} << 32}}),
              "trial.alter[0].flip: a bit above 32 is not allowed: forward frames have so many of source");
    Description description;
    description.changes = {{HeaderField::source, all_bits, 0, true}};
    EXPECT_EQ(impossible_change(map("map-e", "br"), description), "");
    EXPECT_EQ(impossible_change(siit(), description),
              "trial.alter[0].of_another: true is not allowed: false, as the technology has no subscribers");
}

}  // namespace
}  // namespace xlatperf::trial
