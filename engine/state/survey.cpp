#include "state/survey.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace xlatperf::state {

namespace {

using Key = std::array<std::uint64_t, 2>;

// 128 bits of the right-hand four tuple: that two different ones have the same is out of the question.
Key key_of(const Mapping& mapping, const flow::FourTuple& tuple) {
    std::array<std::uint64_t, 2> words;
    std::memcpy(words.data(), mapping.address, sizeof words);
    const std::uint64_t rest = std::uint64_t{mapping.port} << 48 | std::uint64_t{tuple.server_port} << 32 | tuple.server;
    Key key;
    key[0] = flow::mix(flow::mix(flow::mix(words[0]) + words[1]) + rest);
    key[1] = flow::mix(flow::mix(flow::mix(~words[1]) + words[0]) ^ rest);
    return key;
}

class Bits {
  public:
    explicit Bits(std::uint64_t size) : words_((size + 63) / 64) {}
    bool test(std::uint64_t at) const { return (words_[at / 64] >> (at % 64) & 1) != 0; }
    /// Returns whether it was set already.
    bool set(std::uint64_t at) {
        const std::uint64_t bit = std::uint64_t{1} << (at % 64);
        const bool before = (words_[at / 64] & bit) != 0;
        words_[at / 64] |= bit;
        return before;
    }

  private:
    std::vector<std::uint64_t> words_;
};

struct Candidate {
    Key key;
    std::uint64_t connection;
    bool operator<(const Candidate& other) const { return std::tie(key, connection) < std::tie(other.key, other.connection); }
};

template <typename Visit> void each(const Table& table, const flow::Connections& connections, Visit visit) {
    Mapping mapping;
    for (std::uint64_t c = 0; c < table.connections(); ++c) {
        if (table.read(c, mapping)) visit(c, mapping, connections(c));
    }
}

// First which hashes occur twice, then which of those connections really are the same.
std::vector<Candidate> find_candidates(const Table& table, const flow::Connections& connections) {
    const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(table.connections(), 64)) * 8;
    Bits seen(size), twice(size);
    each(table, connections, [&](std::uint64_t, const Mapping& mapping, const flow::FourTuple& tuple) {
        const std::uint64_t at = key_of(mapping, tuple)[0] & (size - 1);
        if (seen.set(at)) twice.set(at);
    });
    std::vector<Candidate> found;
    each(table, connections, [&](std::uint64_t c, const Mapping& mapping, const flow::FourTuple& tuple) {
        const Key key = key_of(mapping, tuple);
        if (twice.test(key[0] & (size - 1))) found.push_back({key, c});
    });
    std::sort(found.begin(), found.end());
    return found;
}

// `candidates` are sorted.
void find_shared(Survey& found, const Table& table, const flow::Connections& connections,
                 const std::vector<Candidate>& candidates, std::size_t most_examples) {
    for (std::size_t i = 0; i < candidates.size();) {
        std::size_t end = i + 1;
        while (end < candidates.size() && candidates[end].key == candidates[i].key) ++end;
        if (end - i > 1) {
            found.shared += end - i;
            if (found.examples.size() < most_examples) {
                Shared shared{candidates[i].connection, candidates[i + 1].connection, {}, connections(candidates[i].connection)};
                table.read(shared.first, shared.mapping);
                found.examples.push_back(shared);
            }
        }
        i = end;
    }
}

}  // namespace

std::string address_text(const Table& table, const Mapping& mapping) {
    return table.family() == wire::Family::ipv4 ? wire::to_text(wire::Ipv4Address::load(mapping.address))
                                                : wire::to_text(wire::Ipv6Address::load(mapping.address));
}

Survey survey(const Table& table, const flow::Connections& connections, std::size_t most_examples, std::uint64_t one_in) {
    Survey found;
    std::vector<Candidate> sample;
    std::map<Key, std::uint64_t> counts;  // of at most as many addresses as the pool has
    bool any = false;
    each(table, connections, [&](std::uint64_t c, const Mapping& mapping, const flow::FourTuple& tuple) {
        if (one_in > 1) {
            const Key key = key_of(mapping, tuple);
            if (key[1] % one_in == 0) sample.push_back({key, c});
        }
        Key address;
        std::memcpy(address.data(), mapping.address, sizeof address);
        ++counts[address];
        found.lowest_port = any ? std::min(found.lowest_port, mapping.port) : mapping.port;
        found.highest_port = std::max(found.highest_port, mapping.port);
        found.ports_kept += mapping.port == tuple.client_port ? 1 : 0;
        any = true;
    });
    if (one_in > 1) {
        std::sort(sample.begin(), sample.end());
        found.compared = sample.size();
    } else {
        sample = find_candidates(table, connections);
        found.compared = table.learnt();
    }
    find_shared(found, table, connections, sample, most_examples);
    for (const auto& [address, count] : counts) {
        Mapping mapping;
        std::memcpy(mapping.address, address.data(), sizeof mapping.address);
        found.addresses[address_text(table, mapping)] = count;
    }
    return found;
}

}  // namespace xlatperf::state
