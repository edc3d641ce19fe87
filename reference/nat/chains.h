// A hash index of nodes that are kept elsewhere: each bucket is a chain through a member of the nodes.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace xlatperf::reference {

using Number = std::uint32_t;  // of a node in its array
inline constexpr Number no_number = ~Number{0};

template <typename Node, Number Node::*next> class Chains {
  public:
    explicit Chains(std::size_t nodes) : buckets_(std::bit_ceil(nodes + nodes / 2 + 1), no_number) {}

    template <typename Matches> Number find(const Node* nodes, std::uint64_t hash, Matches matches) const {
        Number at = buckets_[bucket(hash)];
        while (at != no_number && !matches(nodes[at])) at = nodes[at].*next;
        return at;
    }
    /// Has what `find` and `insert` read first brought from memory.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&buckets_[bucket(hash)]); }
    void insert(Node* nodes, std::uint64_t hash, Number number) {
        Number& head = buckets_[bucket(hash)];
        nodes[number].*next = head;
        head = number;
    }
    void erase(Node* nodes, std::uint64_t hash, Number number) {
        Number* at = &buckets_[bucket(hash)];
        while (*at != number) at = &(nodes[*at].*next);
        *at = nodes[number].*next;
    }
    void clear() { buckets_.assign(buckets_.size(), no_number); }

  private:
    std::vector<Number> buckets_;
    std::size_t bucket(std::uint64_t hash) const { return hash & (buckets_.size() - 1); }
};

}  // namespace xlatperf::reference
