// Any frames that a DUT may send to the Tester's ARP and Neighbor Discovery, one after the other.
#include <cstdlib>
#include <memory>

#include "port/neighbors.h"
#include "wire/byte_order.h"

using namespace xlatperf;

namespace {

port::NeighborConfiguration configuration() {
    port::NeighborConfiguration found;
    found.mac = {2, 0, 0, 0, 0, 1};
    found.ipv4 = {wire::parse_ipv4("198.18.255.2").value(), wire::parse_ipv4("198.18.255.1").value()};
    found.ipv6 = {wire::parse_ipv6("2001:2:0:7fff::2").value(), wire::parse_ipv6("2001:2:0:7fff::1").value()};
    found.ipv4_hosts = {wire::parse_ipv4("198.18.0.2").value()};
    found.ipv6_hosts = {wire::parse_ipv6("2001:2::2").value()};
    return found;
}

}  // namespace

// The input is frames, each after its length in one byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const port::NeighborConfiguration fixed = configuration();
    port::Neighbors neighbors(fixed);
    static const auto questions = [] {  // what another Tester would ask: frames to begin with
        auto mirrored = fixed;
        std::swap(mirrored.ipv4->tester, mirrored.ipv4->gateway);
        std::swap(mirrored.ipv6->tester, mirrored.ipv6->gateway);
        return port::Neighbors(mirrored).requests();
    }();
    while (size > 1) {
        const std::size_t length = std::min<std::size_t>(bytes[0] / 2, size - 1);
        std::vector<std::uint8_t> frame(bytes + 1, bytes + 1 + length);
        if (bytes[0] % 2 == 1) {  // changes to a right question
            auto base = questions[length % questions.size()];
            base.resize(base.size() + length % 24);
            for (std::size_t i = 0; i < length && i < base.size(); ++i) base[i] = static_cast<std::uint8_t>(base[i] ^ frame[i]);
            frame = std::move(base);
        }
        const auto exact = std::make_unique<std::uint8_t[]>(frame.size());
        std::copy(frame.begin(), frame.end(), exact.get());
        if (const auto answer = neighbors.receive(exact.get(), frame.size())) {
            if (answer->size() < 60) std::abort();
            if (port::Neighbors(fixed).receive(answer->data(), answer->size())) std::abort();  // an answer is never answered
        }
        bytes += 1 + length;
        size -= 1 + length;
    }
    return 0;
}
