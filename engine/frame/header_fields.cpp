#include "frame/header_fields.h"

#include "technology/translated.h"

namespace xlatperf::frame {

using technology::FieldRule, technology::Rule;

HeaderFields arriving_fields(const HeaderFields& sent, const technology::Arriving& rules, std::size_t bytes, std::size_t hops) {
    const auto by = [&]<typename N>(const FieldRule& rule, N value) -> N {
        switch (rule.rule) {
            case Rule::decremented:
                return static_cast<N>(value - hops);
            case Rule::zero:
                return 0;
            case Rule::if_large:
                return static_cast<N>(bytes > technology::largest_fragmentable);
            case Rule::kept:
            case Rule::told:
            case Rule::free:
                return value;
        }
        return value;
    };
    return {by(rules.traffic_class, sent.traffic_class), by(rules.hop_limit, sent.hop_limit),
            by(rules.dont_fragment, sent.dont_fragment), by(rules.identification, sent.identification),
            by(rules.flow_label, sent.flow_label),       sent.udp_checksum || rules.computes_udp_checksum};
}

}  // namespace xlatperf::frame
