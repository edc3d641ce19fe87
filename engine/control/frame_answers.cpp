// Frames of a trial, sent and expected: the first ones, shown before any is sent, and whichever is asked for.
#include <algorithm>

#include "control/answers.h"
#include "frame/numbered_identification.h"
#include "frame/text.h"

namespace xlatperf::control {

namespace {

ordered_json subscriber(const flow::Subscribers& all, const flow::Subscriber& who) {
    return {{"domain", who.domain}, {"number", all.known_as(who)}, {"text", frame::describe(all, who)}};
}

// Who a frame belongs to, added to what is shown of it: of flows of each kind.
struct Owners {
    const flow::Flow& flow;
    flow::Direction direction;
    ordered_json& shown;

    void operator()(const flow::HostFlows::Space&) const {}
    void operator()(const flow::SubscriberFlows::Space& space) const {
        shown["subscriber"] = subscriber(*space.subscribers, flow::Subscriber::of(flow.subscriber));
    }
    void operator()(const flow::HairpinFlows::Space& space) const {
        shown["subscriber"] = subscriber(*space.subscribers, flow::Subscriber::of(flow.subscriber));
        shown["to_subscriber"] = subscriber(*space.subscribers, (*space.subscribers)(flow.to_subscriber));
    }
    void operator()(const flow::ConnectionFlows::Space& space) const {
        if (space.mapped) {
            const auto number = space.mapped->number(flow, direction);
            const auto& rule = space.mapped->rule;
            shown["subscriber"] = {
                {"domain", 0}, {"number", number}, {"text", frame::describe(rule, number, rule.ports(number))}};
        }
        if (!space.b4s) return;
        const auto text = "B4 " + std::to_string(flow.b4) + " of " + std::to_string(space.b4s->count) + ", " +
                          to_text(space.b4s->address(flow.b4));
        shown["subscriber"] = {{"domain", 0}, {"number", flow.b4}, {"text", text}};
    }
};

ordered_json shown(const frame::Image& image, const flow::Flow& flow, const frame::Ends& ends, std::uint64_t sequence,
                   bool numbered_identification, const std::optional<frame::SourceMacs>& source_macs,
                   const std::optional<wire::VlanTag>& tag) {
    std::vector<std::uint8_t> bytes(wire::vlan::size + std::max(image.size(), frame::Image::head));
    std::uint8_t* at = &bytes[wire::vlan::size];
    image.write(at, flow, ends, sequence, 0);
    if (numbered_identification) frame::turn_identification(at, image, sequence);
    if (source_macs) source_macs->write(at);
    std::size_t size = image.size();
    if (tag) {
        wire::put_tag(at, *tag);
        at -= wire::vlan::size;
        size += wire::vlan::size;
    }
    return {{"hex", frame::hex_bytes(at, size)}, {"text", frame::describe_frame(at, size)}};
}

}  // namespace

ordered_json answer_frame(const trial::Configuration& configuration, const frame::Stream& stream, std::uint64_t sequence) {
    const auto of = stream.mix(sequence);
    const auto flow = stream.flows(of)(sequence);
    const auto on_arrival = stream.loopback ? stream.source_macs : std::nullopt;
    const auto sent_tag = trial::link_tag(configuration, flow::sender(stream.direction)).sent;
    const auto required = trial::link_tag(configuration, stream.arrives).received;
    const auto expected_tag = required ? std::optional(required->tag()) : std::nullopt;
    const bool leaves_numbered = stream.numbered_identification && stream.sent_image(of).family() == wire::Family::ipv4,
               arrives_numbered = of == flow::Class::foreground && stream.arrives_with_numbered_identification();
    ordered_json answer = {{"direction", flow::name(stream.direction)},
                           {"number", sequence},
                           {"class", flow::name(of)},
                           {"sent", shown(stream.sent_image(of, sequence), flow, stream.sent_ends(of, flow), sequence,
                                          leaves_numbered, stream.source_macs, sent_tag)},
                           {"expected", shown(stream.expected_image(of, sequence), flow, stream.expected_ends(of, flow), sequence,
                                              arrives_numbered, on_arrival, expected_tag)}};
    if (of == flow::Class::background) return answer;
    std::visit(Owners{flow, stream.direction, answer}, configuration.technology->flows());
    if (stream.pool) answer["pool"] = technology::to_text(*stream.pool);
    return answer;
}

ordered_json answer_show(const trial::Configuration& configuration, const trial::Description& description, unsigned count) {
    trial::LinkLayer link_layer;  // who is who by the last octet, in locally administered addresses
    for (const auto side : flow::both_sides) {
        const auto i = flow::index(side);
        link_layer.tester[i] = {0x02, 0, 0, 0, 0, static_cast<std::uint8_t>(0x10 + i)};
        link_layer.gateway_ipv4[i] = link_layer.gateway_ipv6[i] = {0x02, 0, 0, 0, 0, static_cast<std::uint8_t>(0x20 + i)};
    }
    ordered_json frames = ordered_json::array();
    for (const auto direction : flow::both_directions) {
        if (!description.directions[flow::index(direction)]) continue;
        trial::Description one = description;
        if (configuration.connections && !one.connections) {
            one.connections = {configuration.connections->space.most(),
                               direction == flow::Direction::forward ? flow::Phase::establish : flow::Phase::each_once};
        }
        const auto stream = trial::make_stream(configuration, one, link_layer, direction);
        count = static_cast<unsigned>(std::min<std::uint64_t>(count, stream.frames));
        for (std::uint64_t sequence = 0; sequence < count; ++sequence)
            frames.push_back(answer_frame(configuration, stream, sequence));
    }
    return frames;
}

}  // namespace xlatperf::control
