#include "trial/tally/tally.h"

namespace xlatperf::trial {

void ClassTally::add(const ClassTally& other) {
    by_reason.add(other.by_reason);
    remarks.add(other.remarks);
    arrived += other.arrived;
    negative_delay += other.negative_delay;
    hop_limit.add(other.hop_limit);
    outer_hop_limit.add(other.outer_hop_limit);
    delay.add(other.delay);
    numbered.add(other.numbered);
    raw_delays.insert(raw_delays.end(), other.raw_delays.begin(), other.raw_delays.end());
    if (delay_from_due) delay_from_due->add(*other.delay_from_due);
    before_due += other.before_due;
}

// Each counted as expected, or too late, at both receivers: which came first isn't known any more.
void ClassTally::arrived_twice(std::uint64_t numbers) {
    arrived -= numbers;
    for (const auto reason : {counter::Reason::expected, counter::Reason::late, counter::Reason::after_wait}) {
        auto& counted = by_reason[reason];
        const std::uint64_t twice = std::min(counted, numbers);
        counted -= twice;
        numbers -= twice;
        by_reason[counter::Reason::duplicate] += twice;
    }
}

void StrayTally::add_icmp_error(Icmp kind, std::uint64_t times) {
    if (icmp_errors.size() >= most_icmp_kinds && !icmp_errors.contains(kind)) std::get<std::string>(kind) = "others";
    icmp_errors[std::move(kind)] += times;
}

void StrayTally::add(const StrayTally& other) {
    received += other.received;
    by_kind.add(other.by_kind);
    for (const auto& [kind, times] : other.icmp_errors) add_icmp_error(kind, times);
}

}  // namespace xlatperf::trial
