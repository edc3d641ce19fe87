// One Tester per port: two would take each other's frames, and one's loss would be hidden by the other's.
#pragma once

#include <string>

namespace xlatperf::port {

/// Holds what lies under a port (an interface, a card, an end of a memif) against other engines on this host, until it or the
/// process ends. Interfaces of other network namespaces are other ones.
class Claim {
  public:
    /// Throws PortError where another process holds it, with its number. Nothing is held for a port that can't be shared.
    explicit Claim(const std::string& port_name);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

  private:
    int socket_ = -1;
};

/// What a port of this name lies on, in words; empty: on nothing that others could use ("interface t0", "card 0000:01:00.0").
std::string lies_on(const std::string& port_name);

}  // namespace xlatperf::port
