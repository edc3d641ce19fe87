#include "frame/other_tag.h"

#include <algorithm>

#include "frame/text.h"

namespace xlatperf::frame {

OtherTag take_other_tag(const std::uint8_t* at, std::size_t size, const std::optional<wire::VlanRequired>& required) {
    OtherTag found{{at, at + std::min(size, wire::ethernet::type)}, {}};
    std::size_t behind = 0, tags = 0;
    for (; wire::has_tag(at + behind, size - behind); behind += wire::vlan::size) ++tags;
    if (size > wire::ethernet::type) found.inside.insert(found.inside.end(), at + behind + wire::ethernet::type, at + size);
    found.text = describe_tag(at, size) + (tags > 1 ? " and " + std::to_string(tags - 1) + " more tags" : "") + ", expected " +
                 (required ? describe_tag(required->id, required->priority) : "none");
    return found;
}

Finding with_other_tag(Finding inside, const OtherTag& tag) {
    Finding finding = std::move(inside);
    finding.other_tag = true;
    finding.text = tag.text + (finding.text.empty() ? "" : ": " + finding.text);
    finding.hop_limits.reset();
    finding.remarks = {};
    if (finding.reason) {
        finding.reason = Reason::vlan_tag;
    } else if (finding.stray == Stray::arp_nd || finding.stray == Stray::icmp_error) {
        finding.stray = Stray::foreign;
        finding.icmp_error.reset();
    }
    return finding;
}

}  // namespace xlatperf::frame
