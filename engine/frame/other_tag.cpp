#include "frame/other_tag.h"

#include <algorithm>

#include "frame/packet.h"
#include "frame/probe.h"
#include "frame/text.h"

namespace xlatperf::frame {

OtherTag take_other_tag(const std::uint8_t* at, std::size_t size, const std::optional<wire::VlanRequired>& required) {
    OtherTag found;
    const std::size_t tags = wire::tags(at, size), macs = std::min(size, wire::ethernet::type);
    found.inside.assign(at, at + macs);
    found.inside.insert(found.inside.end(), at + macs + tags * wire::vlan::size, at + size);
    found.same_vlan = tags == 1 && required && required->in_vlan(wire::tag_control(at));
    found.text = describe_tag(at, size) + (tags > 1 ? " and " + std::to_string(tags - 1) + " more tags" : "") + ", expected " +
                 (required ? describe_tag(required->id, required->priority) : "none");
    return found;
}

std::optional<flow::Direction> sent_direction(const std::uint8_t* at, std::size_t size, std::uint32_t session) {
    const auto inside = take_other_tag(at, size, {}).inside;
    const auto nested = parse_nested(inside.data(), inside.size());
    if (!nested || nested->packet.protocol != wire::protocol::udp || !nested->packet.first_fragment) return {};
    const std::size_t probe_at = nested->packet.transport + wire::udp::size;
    if (probe_at + probe::size > nested->packet.end || !probe::intact(&inside[probe_at])) return {};
    const std::uint32_t tag = probe::load_tag(&inside[probe_at]);
    if (!probe::has_magic(tag) || probe::session_of(tag) != session) return {};
    return probe::direction_of(tag);
}

Finding with_other_tag(Finding inside, const OtherTag& tag) {
    Finding finding = std::move(inside);
    finding.other_tag = true;
    finding.text = tag.text + (finding.text.empty() ? "" : ": " + finding.text);
    finding.hop_limits.reset();
    finding.remarks = {};
    if (finding.reason) {
        finding.reason = Reason::vlan_tag;
    } else if (!tag.same_vlan && (finding.stray == Stray::arp_nd || finding.stray == Stray::icmp_error)) {
        finding.stray = Stray::foreign;
        finding.icmp_error.reset();
    }
    return finding;
}

}  // namespace xlatperf::frame
