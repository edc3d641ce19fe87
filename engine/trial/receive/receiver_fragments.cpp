// What arrives in fragments: put together, it is verified like any other frame (RFC 791 §3.2, RFC 8200 §4.5).
#include "frame/fragment.h"
#include "frame/text.h"
#include "trial/receive/receiver.h"

namespace xlatperf::trial {

using counter::Reason;
using counter::Remark;

// Returns whether it is one. A packet came when its last fragment did.
bool Receiver::take_fragment(const std::uint8_t* at, std::size_t size, std::uint64_t arrival) {
    const auto one = frame::parse_fragment(at, size);
    if (!one) return false;
    const auto taken = reassembly_->add(at, *one, arrival, whole_, given_up_);
    for (const auto& rest : given_up_) count_incomplete(rest);
    given_up_.clear();
    if (taken == frame::Reassembly::Taken::completes) verify_whole(arrival);
    if (taken == frame::Reassembly::Taken::repeats) count_repeated(at, size);
    return true;
}

void Receiver::count_incomplete(const frame::Reassembly::GivenUp& rest) {
    frame::Finding finding = find(rest.bytes.data(), rest.bytes.size());
    finding.text += "; the rest of its packet did not come, or contradicts it (RFC 5722)";
    count_finding(finding, rest.bytes.data(), rest.bytes.size(), rest.arrival);
}

// Its frame may still come.
void Receiver::count_repeated(const std::uint8_t* at, std::size_t size) {
    const frame::Finding finding = find(at, size);
    if (finding.stray) return count_stray(finding);
    count({finding.of, finding.sequence.value_or(last_number_), Reason::duplicate, {}});
}

void Receiver::verify_whole(std::uint64_t arrival) {
    std::array<std::uint64_t, flow::classes> right_before{};
    const auto right = [&](std::size_t of) { return result_.classes[of].by_reason[Reason::expected]; };
    for (std::size_t of = 0; of < flow::classes; ++of) right_before[of] = right(of);
    if (!count_right_whole(arrival)) count_finding(find_whole(), whole_.bytes.data(), whole_.size, arrival);
    for (std::size_t of = 0; of < flow::classes; ++of)
        result_.classes[of].remarks[Remark::in_fragments] += right(of) - right_before[of];
}

// As all frames are looked at that came whole. Returns whether it is right.
bool Receiver::count_right_whole(std::uint64_t arrival) {
    if (!whole_.other.empty()) return false;
    Burst received;
    received.at[0] = whole_.bytes.data();
    received.size[0] = static_cast<std::uint16_t>(whole_.size);
    received.arrival[0] = arrival;
    const auto nothing_to_fetch = [](const std::uint64_t*, unsigned) {};
    if (identification_) {
        look_at_numbered(received, 1, nothing_to_fetch);
    } else {
        verifier_->look({received.at.data(), received.size.data(), 1}, received.seen, nothing_to_fetch);
    }
    if (received.seen.right == 0 || !has_right_identification(received.seen.class_of(0), received.seen.sequence[0])) return false;
    count_run(received, 0, 1);
    return true;
}

bool Receiver::has_right_identification(flow::Class of, std::uint64_t number) const {
    if (of != flow::Class::foreground || !stream_->fragments_have_numbered_identification()) return true;
    return whole_.identification == frame::numbered_identification(stream_->sent_image(of), number);
}

// What is wrong with any of the fragments is wrong with the whole.
frame::Finding Receiver::find_whole() const {
    frame::Finding finding = find(whole_.bytes.data(), whole_.size);
    if (finding.reason != Reason::expected) return finding;
    if (!whole_.other.empty()) {
        frame::Finding other = find(whole_.other.data(), whole_.size);
        if (other.reason != Reason::expected) return other;
    }
    if (has_right_identification(finding.of, *finding.sequence)) return finding;
    const std::uint16_t wanted = frame::numbered_identification(stream_->sent_image(finding.of), *finding.sequence);
    finding.text += std::string(finding.text.empty() ? "" : "; ") + "identification of the fragments is " +
                    frame::hex_number(whole_.identification, 8) + ", expected " + frame::hex_number(wanted, 8) +
                    " (RFC 7915 §4.1)";
    if (stream_->accepted.has(Reason::identification)) {
        finding.remarks.add(Remark::accepted);
        finding.remarks.add(Remark::accepted_identification);
    } else {
        finding.reason = Reason::identification;
    }
    return finding;
}

void Receiver::count_incomplete() {
    if (reassembly_ == nullptr) return;
    for (const auto& rest : reassembly_->give_up_rest()) count_incomplete(rest);
}

}  // namespace xlatperf::trial
