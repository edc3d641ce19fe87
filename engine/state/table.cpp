#include "state/table.h"

#include <sys/mman.h>

#include <new>

namespace xlatperf::state {

Table::Table(wire::Family pool_family, std::uint64_t connections, WriteOrder order, std::uint64_t seed)
    : family_(pool_family),
      bytes_(bytes_per_connection(pool_family)),
      connections_(connections),
      order_(order),
      slots_(connections, flow::mix(seed)) {
    constexpr std::size_t huge = std::size_t{2} << 20;
    size_ = (connections * bytes_ + huge - 1) / huge * huge;
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    entries_ = static_cast<std::uint8_t*>(memory);
    madvise(entries_, size_, MADV_HUGEPAGE);  // one look-up, one TLB miss at most: it helps where it is allowed
    // All pages are there before the first frame: a page fault takes longer than many frames.
    std::memset(entries_, 0, connections * bytes_);
}

void Table::recount() {
    std::uint64_t known = 0;
    for (std::uint64_t slot = 0; slot < connections_; ++slot) known += is_known(entries_ + slot * bytes_) ? 1U : 0U;
    learnt_ = known;
}

Table::~Table() { munmap(entries_, size_); }

}  // namespace xlatperf::state
