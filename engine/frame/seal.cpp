#include "frame/seal.h"

#include <bit>
#include <random>

#include "wire/clones.h"

namespace xlatperf::frame {

namespace {

void mix(std::array<std::uint64_t, 4>& v) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] = std::rotl(v[2], 32);
}

// Returns zero if the first number's block is that of all.
XLATPERF_VECTOR_CLONES std::uint64_t put_seal(std::uint64_t seal, unsigned block_bits, const std::uint64_t* sequences, unsigned n,
                                              std::uint64_t* found) {
    const std::uint64_t first = sequences[0];
    std::uint64_t differ = 0;
    for (unsigned i = 0; i < flow::whole_vectors(n); ++i) {
        found[i] = sequences[i] | seal;
        differ |= i < n ? (sequences[i] ^ first) >> block_bits : 0;
    }
    return differ;
}

}  // namespace

Key draw_key() {
    std::random_device device;
    const auto half = [&] { return std::uint64_t{device()} << 32 | device(); };
    return {half(), half()};
}

std::uint64_t siphash(const Key& key, std::uint64_t message) {
    std::array<std::uint64_t, 4> v{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
                                   key[1] ^ 0x7465646279746573};
    for (const std::uint64_t word : {message, std::uint64_t{8} << 56}) {  // the last one has the length
        v[3] ^= word;
        mix(v);
        mix(v);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    for (int i = 0; i < 4; ++i) mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::uint64_t Seal::of_block(std::uint64_t block) const { return siphash(key_, block << 32 | tag_) << 56 >> 16; }

void Seal::numbers(const std::uint64_t* sequences, unsigned n, std::uint64_t* found) const {
    std::uint64_t block = sequences[0] >> block_bits, seal = of_block(block);
    if (put_seal(seal, block_bits, sequences, n, found) == 0) [[likely]]
        return;
    for (unsigned i = 0; i < n; ++i) {
        if (sequences[i] >> block_bits != block) {
            block = sequences[i] >> block_bits;
            seal = of_block(block);
        }
        found[i] = sequences[i] | seal;
    }
}

}  // namespace xlatperf::frame
