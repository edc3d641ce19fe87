// Any bytes that may arrive: as they are, or laid over a right frame so that they get past the headers. Nothing may crash, every
// frame has exactly one reason, and StreamVerifier and Classifier agree.
#include <cstdlib>
#include <memory>

#include "frame/classifier.h"
#include "frame/other_tag.h"
#include "frame/reassembly.h"
#include "frame/stateful_streams.h"
#include "frame/stream_verifier.h"
#include "frame/streams.h"
#include "frame/text.h"

using namespace xlatperf;
using namespace xlatperf::frame;

namespace {

void must(bool condition) {
    if (!condition) std::abort();
}

const Stream& stream(std::uint8_t choice) {
    static const std::vector<Stream> streams = [] {
        std::vector<Stream> made;
        for (const auto kind : all_kinds) {
            made.push_back(make_stream({.kind = kind}));
            made.push_back(make_stream({.kind = kind, .ipv6_size = 128, .networks = 256, .take = 1, .of = 2}));
        }
        for (const auto nat : all_nats) {
            made.push_back(make_stateful_stream({.nat = nat, .ipv6_size = 84, .pool_addresses = 256}));
            made.push_back(make_stateful_stream({.nat = nat, .ipv6_size = 128, .clients = 3, .servers = 5, .take = 1, .of = 2}));
        }
        return made;
    }();
    return streams[choice % streams.size()];
}

// Two of them, one behind the other; whatever waits is given up in the end.
void look_at_fragments(const std::uint8_t* at, std::size_t size, std::size_t first) {
    static Reassembly reassembly(1260, 1000);
    Reassembly::Whole whole;
    std::vector<Reassembly::GivenUp> given_up;
    std::size_t taken = 0;
    const std::size_t parts[] = {0, std::min(first, size), size};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::uint8_t* part = at + parts[i];
        const std::size_t part_size = parts[i + 1] - parts[i];
        const auto one = parse_fragment(part, part_size);
        if (!one) continue;
        must(one->headers_end <= one->data && one->data < one->end && one->end <= part_size);
        const auto what = reassembly.add(part, *one, 1, whole, given_up);
        taken += what == Reassembly::Taken::waits ? 1 : 0;
        if (what != Reassembly::Taken::completes) continue;
        must(whole.size <= whole.bytes.size());
        must(!parse_fragment(whole.bytes.data(), whole.size) || one->family == wire::Family::ipv6);  // or one in a tunnel
    }
    if (taken > 0) must(reassembly.give_up_rest().size() + given_up.size() <= taken);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size < 2) return 0;
    const Stream& chosen = stream(bytes[0]);
    Bytes frame(bytes + 2, bytes + size);
    if (bytes[1] % 4 != 0) {  // changes to a right frame; the number's low byte is free
        const bool mapped = chosen.any_source && chosen.mix(bytes[1]) == Class::foreground;
        auto base = bytes[1] % 4 == 1 ? sent(chosen, bytes[1])
                    : mapped          ? translated(chosen, bytes[1], chosen.pool->first, 5000)
                                      : received(chosen, bytes[1]);
        if (bytes[1] % 4 == 3) base.resize(std::max<std::size_t>(14, frame.size() % 256));
        for (std::size_t i = 0; i < frame.size() && i < base.size(); ++i) base[i] = static_cast<std::uint8_t>(base[i] ^ frame[i]);
        frame = std::move(base);
    }
    const auto exact = std::make_unique<std::uint8_t[]>(frame.size());
    std::copy(frame.begin(), frame.end(), exact.get());
    const Finding finding = Classifier(chosen).classify(exact.get(), frame.size());
    must(finding.reason.has_value() != finding.stray.has_value());
    must(finding.text.find('\n') == std::string::npos);
    must(!finding.sequence || *finding.sequence < chosen.frames);
    must(finding.icmp_error.has_value() == (finding.stray == Stray::icmp_error));
    const Finding alone = classify_stray(exact.get(), frame.size(), probe::Mark{0, 1});
    must(alone.stray && !alone.reason);
    must(!describe_frame(exact.get(), frame.size()).empty());
    const auto tag = take_other_tag(exact.get(), frame.size(), wire::VlanRequired{bytes[0], {}});
    must(tag.inside.size() <= frame.size() && (frame.size() - tag.inside.size()) % wire::vlan::size == 0);
    const Finding tagged = with_other_tag(Classifier(chosen).classify(tag.inside.data(), tag.inside.size()), tag);
    must(tagged.reason.has_value() != tagged.stray.has_value() && tagged.reason.value_or(Reason::vlan_tag) == Reason::vlan_tag);
    look_at_fragments(exact.get(), frame.size(), bytes[0]);
    const std::size_t length = frame.size();
    frame.resize(std::max(length, Image::readable));
    const std::uint8_t* at = frame.data();
    const auto length16 = static_cast<std::uint16_t>(length);
    SeenBurst seen;
    StreamVerifier(chosen).look({&at, &length16, 1}, seen, [](const std::uint64_t*, unsigned) {});
    must(seen.right <= 1);
    const bool matches = seen.right == 1;
    // Whether a source is in the pool isn't the StreamVerifier's to say.
    const bool by_source_alone = matches && chosen.any_source && finding.reason == Reason::outside_pool;
    must(by_source_alone ||
         matches == (finding.reason == Reason::expected && !finding.remarks.has(counter::Remark::udp_checksum_zero)));
    return 0;
}
