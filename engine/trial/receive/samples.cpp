#include "trial/receive/samples.h"

#include <algorithm>

#include "frame/other_tag.h"
#include "frame/packet.h"

namespace xlatperf::trial {

namespace {

constexpr std::size_t most_bytes = 256;  // of a frame

wire::Address address_at(const std::uint8_t* at, wire::Family family) {
    if (family == wire::Family::ipv4) return wire::Ipv4Address::load(at);
    return wire::Ipv6Address::load(at);
}

void put_tag(std::vector<std::uint8_t>& frame, const std::uint8_t* tag) {
    frame.insert(frame.begin() + wire::ethernet::type, tag, tag + wire::vlan::size);
}

}  // namespace

void Samples::keep(std::string reason, const frame::Finding& finding, const std::uint8_t* at, std::size_t size) {
    const auto same = std::count_if(kept_.begin(), kept_.end(), [&](const Sample& s) { return s.reason == reason; });
    if (static_cast<unsigned>(same) >= most_) return;
    Sample sample;
    sample.side = side_;
    sample.direction = stream_ != nullptr ? stream_->direction : flow::arriving_at(side_);
    sample.reason = std::move(reason);
    sample.number = finding.sequence;
    if (finding.reason) sample.of = finding.of;
    sample.received.assign(at, at + size);
    if (tag_ && !finding.other_tag) put_tag(sample.received, at - wire::vlan::size);
    if (finding.sequence && stream_ != nullptr) {
        sample.expected = expected(finding, at, size);
        if (tag_) put_tag(sample.expected, wire::tag_bytes(tag_->tag()).data());
    }
    for (auto* bytes : {&sample.received, &sample.expected}) bytes->resize(std::min(bytes->size(), most_bytes));
    sample.text = finding.text;
    kept_.push_back(std::move(sample));
}

std::vector<std::uint8_t> Samples::expected(const frame::Finding& finding, const std::uint8_t* at, std::size_t size) const {
    const frame::Classifier classifier(*stream_);
    std::vector<std::uint8_t> untagged;
    if (finding.other_tag) {
        untagged = frame::take_other_tag(at, size, tag_).inside;
        at = untagged.data();
        size = untagged.size();
    }
    const auto seen = frame::parse_nested(at, size);
    return classifier.expected_bytes(*finding.sequence, finding.stamp48, at, seen ? &seen->packet : nullptr);
}

void Samples::keep_mapping(counter::Reason reason, const frame::Match& match, const std::uint8_t* at, std::size_t size) {
    frame::Finding finding;
    finding.reason = reason;
    finding.sequence = match.sequence;
    finding.stamp48 = match.stamp48;
    const std::string seen = "source " + wire::to_text(address_at(match.source, stream_->pool->family())) + " port " +
                             std::to_string(match.source_port);
    finding.text = reason == counter::Reason::outside_pool
                       ? seen + ", expected " + technology::to_text(*stream_->pool)
                       : seen + ", connection " + std::to_string(match.connection) + " had another one before";
    keep(std::string(counter::name(reason)), finding, at, size);
}

}  // namespace xlatperf::trial
