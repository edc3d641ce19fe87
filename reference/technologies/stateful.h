// What stateful translators have in common: left is inside, right is outside. UDP is translated (RFC 9693 §3.1 tests nothing
// else); TCP, ICMP with its errors, fragments and hairpinning (RFC 4787 REQ-9) are not, and have counters.
#pragma once

#include "nat/nat.h"
#include "technologies/technology.h"
#include "translate/forward.h"

namespace xlatperf::reference {

/// Who sends a datagram to whom.
struct Connection {
    Endpoint source, destination;
    std::size_t udp_at = 0;  // of the UDP header in the packet
};

/// The connection that a packet belongs to, or why it has none.
struct Datagram {
    Fate problem = Fate::forwarded;  // none
    Connection connection;
};
Datagram read_datagram(Bytes packet, wire::Family family);

/// Whether a packet from outside is to the pool. An address of the device's own may be the pool's: then what isn't UDP is an echo
/// request, perhaps.
bool is_for_pool(const Arrival& arrival, const Pool& pool);

class Stateful : public Technology {
  public:
    explicit Stateful(const NatSettings& settings) : nat_(settings) {}

    bool takes(const Arrival& arrival) const override;
    Result translate(const Arrival& arrival, MutableBytes out) override;
    Nat* nat() override { return &nat_; }

  protected:
    /// The destination as it's called outside; nothing: the packet isn't to be translated.
    virtual std::optional<wire::Bits128> outside(const Arrival& arrival) const { return arrival.destination; }
    virtual Result outbound(const Arrival& arrival, const Connection& connection, MutableBytes out) = 0;
    virtual Result inbound(const Arrival& arrival, const Connection& connection, MutableBytes out) = 0;

    Nat nat_;

  private:
    bool takes_from_outside(const Arrival& arrival) const;
    bool takes_from_inside(const Arrival& arrival) const;
};

/// NAT44 and NAT66: a hop of a router with another address and port.
class StatefulInFamily final : public Stateful {
  public:
    StatefulInFamily(const NatSettings& settings, std::optional<TranslatedTwice> twice) : Stateful(settings), twice_(twice) {}

  protected:
    Result outbound(const Arrival& arrival, const Connection& connection, MutableBytes out) override {
        return pass(arrival, connection, out);
    }
    Result inbound(const Arrival& arrival, const Connection& connection, MutableBytes out) override {
        return pass(arrival, connection, out);
    }

  private:
    Result pass(const Arrival& arrival, const Connection& connection, MutableBytes out);

    std::optional<TranslatedTwice> twice_;
};

}  // namespace xlatperf::reference
