#include "technologies/siit_pair.h"

#include <algorithm>
#include <vector>

#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

namespace {

class SiitPair final : public Technology {
  public:
    explicit SiitPair(std::array<Siit, 2> translators) : translators_(std::move(translators)) {}

    bool takes(const Arrival& arrival) const override {
        if (arrival.own || arrival.family != wire::Family::ipv4) return false;
        const auto to = wire::Ipv4Address{static_cast<std::uint32_t>(arrival.destination)};
        return translators_[index(arrival.side)].map.to_ipv6(to).has_value();
    }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        const Siit &first = translators_[index(arrival.side)], &second = translators_[index(other(arrival.side))];
        between_.resize(arrival.packet.size() + translation_room);
        const Result entered = translate_v4_to_v6(first, arrival.packet, between_);
        if (entered.fate != Fate::forwarded) return entered;
        Result left = translate_v6_to_v4(second, Bytes(between_).first(entered.size), out, identification_++);
        if (left.fate != Fate::forwarded || entered.fragment_at == 0) return left;
        // RFC 7915 §5.1.1: of each fragment, without IPv6's Fragment header; the identification is its low 16 bits, DF 0.
        constexpr std::size_t smaller = wire::ipv6::size + wire::ipv6::fragment_header_size - wire::ipv4::size;
        wire::store16(out.data() + wire::ipv4::identification, static_cast<std::uint16_t>(entered.identification.value_or(0)));
        const std::uint16_t flags = wire::load16(out.data() + wire::ipv4::flags_offset);
        wire::store16(out.data() + wire::ipv4::flags_offset, flags & static_cast<std::uint16_t>(~wire::ipv4::dont_fragment));
        const std::size_t at = entered.fragment_at - smaller;
        left.fragment_at = left.fragment_at == 0 ? at : std::min(left.fragment_at, at);
        return left;
    }

  protected:
    void connected() override {
        for (const Side side : {Side::left, Side::right}) {
            const Link& link = around().link(side);
            Siit& siit = translators_[index(side)];
            siit.ipv4_mtu = link.mtu;
            siit.ipv6_mtu = link.mtu + translation_growth;  // between both, where nothing is in its way
            if (link.ipv4) siit.own_ipv4 = link.ipv4->address;
            if (link.ipv6) siit.own_ipv6 = link.ipv6->address;
        }
    }

  private:
    std::array<Siit, 2> translators_;
    std::vector<std::uint8_t> between_;
    std::uint16_t identification_ = 0;  // RFC 7915 §5.1: the generator
};

}  // namespace

std::shared_ptr<Technology> make_siit_pair(std::array<Siit, 2> translators) {
    return std::make_shared<SiitPair>(std::move(translators));
}

}  // namespace xlatperf::reference
