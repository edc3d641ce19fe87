#include <functional>
#include <set>

#include "counter/acceptable.h"
#include "frame/classified.h"

namespace xlatperf::frame {
namespace {

using Spoil = std::function<void(Bytes&)>;

// The length of IP packet and UDP datagram after bytes were added or removed at the end.
void repair_lengths(Bytes& frame) {
    const auto packet = static_cast<std::uint16_t>(frame.size() - wire::ethernet::size);
    const auto datagram = static_cast<std::uint16_t>(frame.size() - udp_offset(frame));
    wire::store16(ip(frame) + (is_ipv4(frame) ? wire::ipv4::total_length : wire::ipv6::payload_length),
                  is_ipv4(frame) ? packet : datagram);
    wire::store16(udp(frame) + wire::udp::length, datagram);
}

// What spoils a frame of either family, and the reason that it must get. Checksums are repaired afterwards if `repaired`.
struct Fault {
    const char* name;
    Spoil spoil;
    bool repaired;
    Reason reason;
    bool numbered = true;
};

const std::vector<Fault>& faults() {
    static const std::vector<Fault> table = {
        {"nothing", [](Bytes&) {}, true, Reason::expected},
        {"source MAC", [](Bytes& f) { increment(f[11]); }, false, Reason::expected},
        {"destination MAC", [](Bytes& f) { increment(f[5]); }, false, Reason::wrong_mac},
        {"source address", [](Bytes& f) { increment(last_octet_of_source(f)); }, true, Reason::wrong_address},
        {"destination address", [](Bytes& f) { increment(last_octet_of_destination(f)); }, true, Reason::wrong_address},
        {"source port", [](Bytes& f) { increment(udp(f)[1]); }, true, Reason::wrong_port},
        {"destination port", [](Bytes& f) { increment(udp(f)[3]); }, true, Reason::wrong_port},
        {"not decremented", [](Bytes& f) { increment(hops(f)); }, true, Reason::hop_limit},
        {"traffic class cleared", change_traffic_class, true, Reason::traffic_class},
        {"UDP checksum", [](Bytes& f) { increment(udp(f)[wire::udp::checksum]); }, false, Reason::udp_checksum},
        {"octet of the fill", [](Bytes& f) { increment(f.back()); }, true, Reason::payload},
        {"stamp of the probe", [](Bytes& f) { increment(data(f)[probe::stamp]); }, true, Reason::payload},
        {"guard of the probe", [](Bytes& f) { increment(data(f)[probe::guard]); }, true, Reason::payload},
        {"trial in a broken probe", [](Bytes& f) { increment(data(f)[2]); }, true, Reason::payload, false},
        {"number in a broken probe", [](Bytes& f) { increment(data(f)[probe::number]); }, true, Reason::payload, false},
        {"magic", [](Bytes& f) { increment(data(f)[0]); }, true, Reason::payload, false},
        {"session", [](Bytes& f) { increment(data(f)[1]); }, true, Reason::payload, false},
        {"ports and a broken probe",
         [](Bytes& f) {
             increment(data(f)[probe::stamp]);
             increment(udp(f)[1]);
         },
         true, Reason::payload, false},
        {"a number beyond the trial", [](Bytes& f) { probe::store(data(f), probe::load_tag(data(f)), 1000, 0); }, true,
         Reason::payload, false},
        {"data cut to 17 bytes",
         [](Bytes& f) {
             f.resize(data_offset(f) + 17);
             repair_lengths(f);
         },
         true, Reason::payload, false},
        {"data cut to nothing",
         [](Bytes& f) {
             f.resize(data_offset(f));
             repair_lengths(f);
         },
         true, Reason::payload, false},
        {"shorter by a byte",
         [](Bytes& f) {
             f.pop_back();
             repair_lengths(f);
         },
         true, Reason::wrong_length},
        {"longer by a byte",
         [](Bytes& f) {
             f.push_back(0);
             repair_lengths(f);
         },
         true, Reason::wrong_length},
        {"padding behind the packet", [](Bytes& f) { f.resize(f.size() + 4); }, false, Reason::wrong_length},
        {"UDP length", [](Bytes& f) { --udp(f)[wire::udp::length + 1]; }, true, Reason::wrong_length},
    };
    return table;
}

const std::vector<Fault>& ipv4_faults() {
    static const std::vector<Fault> table = {
        {"reserved flag", [](Bytes& f) { ip(f)[wire::ipv4::flags_offset] |= 0x80; }, true, Reason::ip_header},
        {"header checksum", [](Bytes& f) { increment(ip(f)[wire::ipv4::checksum]); }, false, Reason::ip_checksum},
        {"UDP checksum 0", [](Bytes& f) { wire::store16(udp(f) + wire::udp::checksum, 0); }, false, Reason::expected},
        {"option",
         [](Bytes& f) {
             f.insert(f.begin() + 34, {1, 1, 1, 1});
             f[14] = 0x46;
             wire::store16(ip(f) + wire::ipv4::total_length, static_cast<std::uint16_t>(f.size() - 14));
         },
         false, Reason::wrong_length},
        {"first fragment", [](Bytes& f) { ip(f)[wire::ipv4::flags_offset] |= 0x20; }, true, Reason::fragment},
        {"first fragment without probe",
         [](Bytes& f) {
             ip(f)[wire::ipv4::flags_offset] |= 0x20;
             f.resize(data_offset(f));
             repair_lengths(f);
         },
         true, Reason::fragment, false},
        {"later fragment", [](Bytes& f) { ip(f)[wire::ipv4::flags_offset + 1] = 9; }, true, Reason::fragment, false},
    };
    return table;
}

const std::vector<Fault>& ipv6_faults() {
    static const std::vector<Fault> table = {
        {"flow label", [](Bytes& f) { ip(f)[3] = 1; }, true, Reason::flow_label},
        {"UDP checksum 0", [](Bytes& f) { wire::store16(udp(f) + wire::udp::checksum, 0); }, false, Reason::udp_checksum},
        {"hop-by-hop header",
         [](Bytes& f) {
             insert_extension_header(f, wire::protocol::hop_by_hop, {1, 4});
         },
         false, Reason::wrong_length},
        {"destination options",
         [](Bytes& f) {
             insert_extension_header(f, wire::protocol::destination_options, {1, 4});
         },
         false, Reason::wrong_length},
        {"routing header", [](Bytes& f) { insert_extension_header(f, wire::protocol::routing, {}); }, false,
         Reason::wrong_length},
        {"atomic fragment", [](Bytes& f) { insert_extension_header(f, wire::protocol::fragment, {}); }, false,
         Reason::wrong_length},
        {"first fragment",
         [](Bytes& f) {
             insert_extension_header(f, wire::protocol::fragment, {0, 1});
         },
         false, Reason::fragment},
        {"first fragment without probe",
         [](Bytes& f) {
             f.resize(data_offset(f));
             repair_lengths(f);
             insert_extension_header(f, wire::protocol::fragment, {0, 1});
         },
         false, Reason::fragment, false},
        {"later fragment",
         [](Bytes& f) {
             insert_extension_header(f, wire::protocol::fragment, {0, 9});
         },
         false, Reason::fragment, false},
    };
    return table;
}

void expect_reasons(const Stream& stream, const std::vector<Fault>& table, std::set<Reason>& seen) {
    for (const auto& fault : table) {
        for (const std::uint64_t sequence : {0U, 5U, 501U}) {
            auto frame = received(stream, sequence);
            const Class of = stream.mix(sequence);
            fault.spoil(frame);
            if (fault.repaired) repair_checksums(frame);
            const Finding finding = classified(stream, frame);
            ASSERT_EQ(verdict(finding), name(fault.reason)) << fault.name << ": " << finding.text;
            seen.insert(fault.reason);
            EXPECT_EQ(finding.sequence.has_value(), fault.numbered) << fault.name;
            if (fault.numbered) {
                EXPECT_EQ(finding.sequence, sequence) << fault.name;
                EXPECT_EQ(finding.of, of) << fault.name;
            }
            if (fault.reason != Reason::expected) {
                EXPECT_FALSE(finding.text.empty()) << fault.name;
            }
            EXPECT_EQ(finding.remarks.has(counter::Remark::udp_checksum_zero),
                      fault.reason == Reason::expected && std::string(fault.name) == "UDP checksum 0")
                << fault.name;
        }
    }
}

TEST(Classifier, EveryReasonByItsFault) {  // R7915-V
    std::set<Reason> seen;
    for (const auto kind : all_kinds) {
        for (const std::uint32_t networks : {1U, 256U}) {
            const Stream stream = make_stream({.kind = kind, .ipv6_size = 100, .networks = networks});
            expect_reasons(stream, faults(), seen);
            expect_reasons(stream, received_family(kind) == wire::Family::ipv4 ? ipv4_faults() : ipv6_faults(), seen);
            if (HasFailure()) FAIL() << "of " << name(kind);
        }
    }
    // duplicate, late, after_wait, beyond_window and mapping_changed are the receiver's; untranslated, outside_pool,
    // identification, dont_fragment and vlan_tag have their own tests.
    EXPECT_EQ(seen.size(), counter::rows<Reason>.size() - 10);
}

TEST(Classifier, BackgroundFramesHaveTheirOwnImage) {
    std::set<Reason> seen;
    for (const auto kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 100, .take = 0, .of = 1});
        expect_reasons(stream, faults(), seen);
        expect_reasons(stream, ipv6_faults(), seen);
        if (HasFailure()) FAIL() << "of " << name(kind);
    }
}

TEST(Classifier, IdentificationAndDfAreTheDutsChoiceOnlyWhenTranslated) {  // RFC 7915 §5.1
    for (const auto kind : {Kind::ipv6_to_ipv4, Kind::native_ipv4}) {
        const Stream stream = make_stream({.kind = kind});
        auto identified = received(stream, 3), without_df = received(stream, 3);
        ip(identified)[wire::ipv4::identification] = 0x77;
        ip(without_df)[wire::ipv4::flags_offset] = 0;
        repair_checksums(identified);
        repair_checksums(without_df);
        EXPECT_EQ(verdict(stream, identified), kind == Kind::ipv6_to_ipv4 ? "expected" : "identification");
        EXPECT_EQ(verdict(stream, without_df), kind == Kind::ipv6_to_ipv4 ? "expected" : "dont_fragment");
        EXPECT_FALSE(classified(stream, identified).remarks.has(counter::Remark::df_differs));
        EXPECT_EQ(classified(stream, without_df).remarks.has(counter::Remark::df_differs), kind == Kind::ipv6_to_ipv4);
    }
}

// Wrong in what no router looks at: as expected where it's accepted, with a remark; wrong in anything else it stays wrong.
TEST(Classifier, AcceptedDeviationsAreRemarks) {
    struct Change {
        Reason reason;
        Spoil spoil;
        std::vector<Kind> of;
    };
    const std::vector<Kind> all(std::begin(all_kinds), std::end(all_kinds));
    const std::vector<Change> changes = {
        {Reason::hop_limit, [](Bytes& f) { increment(hops(f)); }, all},
        {Reason::traffic_class, change_traffic_class, all},
        {Reason::dont_fragment, [](Bytes& f) { ip(f)[wire::ipv4::flags_offset] = 0; }, {Kind::native_ipv4}},
        {Reason::identification, [](Bytes& f) { ip(f)[wire::ipv4::identification] = 0x77; }, {Kind::native_ipv4}},
        {Reason::flow_label, [](Bytes& f) { ip(f)[3] = 1; }, {Kind::ipv4_to_ipv6, Kind::native_ipv6}},
    };
    ASSERT_EQ(changes.size(), counter::acceptable.size());
    for (const auto& [reason, spoil, of] : changes) {
        for (const Kind kind : of) {
            Stream stream = make_stream({.kind = kind});
            auto frame = received(stream, 3);
            spoil(frame);
            repair_checksums(frame);
            EXPECT_EQ(classified(stream, frame).reason, reason) << name(kind);
            stream.accepted.add(reason);
            const Finding finding = classified(stream, frame);
            EXPECT_EQ(finding.reason, Reason::expected) << name(kind) << ": " << finding.text;
            EXPECT_TRUE(finding.remarks.has(Remark::accepted));
            EXPECT_NE(finding.text.find(", expected "), std::string::npos) << finding.text;
            EXPECT_EQ(finding.hop_limits.has_value(), reason == Reason::hop_limit);
            for (const auto& [other, remark] : counter::acceptable) {
                EXPECT_EQ(finding.remarks.has(remark), other == reason) << counter::name(remark);
            }
            increment(frame.back());
            repair_checksums(frame);
            EXPECT_EQ(classified(stream, frame).reason, Reason::payload) << name(kind);
        }
    }
}

TEST(Classifier, SeveralAcceptedDeviationsAreAllTold) {
    Stream stream = make_stream({.kind = Kind::native_ipv4});
    stream.accepted.add(Reason::traffic_class);
    stream.accepted.add(Reason::hop_limit);
    auto frame = received(stream, 3);
    change_traffic_class(frame);
    increment(hops(frame));
    repair_checksums(frame);
    const Finding finding = classified(stream, frame);
    EXPECT_EQ(finding.reason, Reason::expected);
    EXPECT_EQ(finding.text, "TTL 10, expected 9 (RFC 1812 §5.3.1); type of service 0x00, expected 0xb8 (RFC 2474 §3)");
    ip(frame)[wire::ipv4::flags_offset] = 0;  // which isn't accepted
    repair_checksums(frame);
    EXPECT_EQ(classified(stream, frame).reason, Reason::dont_fragment);
    EXPECT_FALSE(classified(stream, frame).remarks.any());
}

TEST(Classifier, UntranslatedFramesCameAsTheyWereSent) {
    for (const auto kind : {Kind::ipv6_to_ipv4, Kind::ipv4_to_ipv6}) {
        const Stream stream = make_stream({.kind = kind});
        const Finding finding = classified(stream, sent(stream, 8));
        EXPECT_EQ(finding.reason, Reason::untranslated);
        EXPECT_EQ(finding.sequence, 8U);
        // Also with background of the same family as what was sent.
        const Stream mixed = make_stream({.kind = kind, .take = 1, .of = 2});
        EXPECT_EQ(classified(mixed, sent(mixed, 1)).reason, Reason::untranslated);
    }
}

// Of several faults the one further down in the packet is told last: lengths, addresses, ports, hop limit, ...
TEST(Classifier, OneReasonByOrder) {
    const std::vector<std::pair<std::string, Spoil>> from_last_to_first = {
        {"wrong_mac", [](Bytes& f) { increment(f[5]); }},
        {"udp_checksum", [](Bytes& f) { wire::store16(udp(f) + wire::udp::checksum, 0x1234); }},
        {"payload", [](Bytes& f) { increment(f.back()); }},
        {"ip_checksum", [](Bytes& f) { ip(f)[wire::ipv4::checksum] ^= 0x80; }},
        {"ip_header", [](Bytes& f) { ip(f)[wire::ipv4::flags_offset] |= 0x80; }},
        {"traffic_class", change_traffic_class},
        {"hop_limit", [](Bytes& f) { increment(hops(f)); }},
        {"wrong_port", [](Bytes& f) { increment(udp(f)[1]); }},
        {"wrong_address", [](Bytes& f) { increment(last_octet_of_destination(f)); }},
        {"wrong_length", [](Bytes& f) { --udp(f)[wire::udp::length + 1]; }},
        {"fragment", [](Bytes& f) { ip(f)[wire::ipv4::flags_offset] |= 0x20; }},
        {"returned",
         [](Bytes& f) {
             probe::store(data(f), probe::make_tag(flow::Direction::reverse, {0, 5}), probe::load_number(data(f)), 0);
         }},
        {"stale",
         [](Bytes& f) {
             probe::store(data(f), probe::make_tag(flow::Direction::reverse, {0, 4}), probe::load_number(data(f)), 0);
         }},
    };
    for (const auto kind : {Kind::ipv6_to_ipv4, Kind::native_ipv4}) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 100});
        auto frame = received(stream, 9);
        for (const auto& [wanted, spoil] : from_last_to_first) {
            spoil(frame);
            ASSERT_EQ(verdict(stream, frame), wanted);
        }
    }
    const Stream stream = make_stream({.kind = Kind::ipv4_to_ipv6, .ipv6_size = 100});
    auto frame = received(stream, 9);
    for (const auto& [wanted, spoil] : from_last_to_first) {
        if (wanted == "ip_checksum" || wanted == "fragment") continue;
        if (wanted == "ip_header") {
            ip(frame)[3] = 1;
            ASSERT_EQ(verdict(stream, frame), "flow_label");
            continue;
        }
        spoil(frame);
        ASSERT_EQ(verdict(stream, frame), wanted);
    }
}

// A damaged probe: its number counts only if the ports, which follow from it, say so too.
TEST(Classifier, NumbersOfDamagedProbesNeedConfirmation) {
    const Stream stream = make_stream({.kind = Kind::native_ipv6, .networks = 256});
    for (std::uint64_t sequence = 0; sequence < 1000; ++sequence) {
        auto damaged = received(stream, sequence);
        data(damaged)[probe::stamp + 2] ^= 0x10;
        ASSERT_EQ(classified(stream, damaged).sequence, sequence);
        for (std::size_t bit = 0; bit < 48; ++bit) {
            auto renumbered = received(stream, sequence);
            std::uint8_t& octet = data(renumbered)[probe::number + bit / 8];
            octet = static_cast<std::uint8_t>(octet ^ (1U << (bit % 8)));
            ASSERT_FALSE(classified(stream, renumbered).sequence) << "bit " << bit << " of number " << sequence;
        }
    }
}

TEST(Classifier, ClassesOfFramesWithoutNumberAreGuessedByFamily) {
    const Stream mixed = make_stream({.kind = Kind::ipv6_to_ipv4, .take = 1, .of = 2});
    for (std::uint64_t sequence = 0; sequence < 2; ++sequence) {
        auto frame = received(mixed, sequence);
        increment(data(frame)[0]);
        EXPECT_EQ(classified(mixed, frame).of, mixed.mix(sequence));
    }
}

TEST(Classifier, ExpectedBytesAreThoseOfTheImage) {
    for (const auto kind : all_kinds) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 84, .networks = 16, .take = 1, .of = 2});
        for (std::uint64_t sequence = 0; sequence < 20; ++sequence) {
            EXPECT_EQ(Classifier(stream).expected_bytes(sequence, 77), received(stream, sequence, 77));
        }
    }
}

TEST(Classifier, TextsNameWhatWasSeenAndExpected) {
    const Stream stream = make_stream({.kind = Kind::ipv6_to_ipv4});
    auto frame = received(stream, 3);
    increment(last_octet_of_destination(frame));
    repair_checksums(frame);
    EXPECT_EQ(classified(stream, frame).text, "destination 198.19.0.3, expected 198.19.0.2");
    frame = received(stream, 3);
    increment(hops(frame));
    repair_checksums(frame);
    EXPECT_EQ(classified(stream, frame).text, "TTL 10, expected 9 (RFC 7915 §5.1)");
}

}  // namespace
}  // namespace xlatperf::frame
