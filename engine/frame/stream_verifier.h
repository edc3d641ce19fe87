// Are received frames exactly what they must be? Of streams of one class and of both (RFC 8219 §5.3): a burst is parted by class,
// and each part is compared by vectors with what its numbers say. What isn't compared is the source MAC (the DUT's) and what the
// technology leaves to the DUT (technology/arriving.h; a DF that differs is counted). What isn't right is for the Classifier.
#pragma once

#include <array>
#include <optional>

#include "frame/burst.h"
#include "frame/match.h"

namespace xlatperf::frame {

class StreamVerifier {
  public:
    /// The stream outlives it.
    explicit StreamVerifier(const Stream& stream);

    /// Looks at `n` frames, `size[i]` bytes at `at[i]`, where there are at least `Image::readable`. In between
    /// `fetch(connections, n)` has what belongs to connections brought from memory.
    template <typename Fetch>
    void look(const std::uint8_t* const* at, const std::uint16_t* size, unsigned n, SeenBurst& seen, const Fetch& fetch) const {
        if (only_class_) [[likely]] {
            look_at_class(*only_class_, Looking(at, size, n), seen, fetch);
            seen.background = *only_class_ == Class::background ? flow::first_bits(n) : 0;
            return;
        }
        flow::MixPattern otherwise;
        const flow::MixPattern& pattern = classes_of(at, n, seen, otherwise);
        for (const auto of : flow::both_classes) {
            ReceivedPart part(pattern, of, at, size, n);
            if (part.n == 0) continue;
            SeenBurst own;
            look_at_class(of, Looking(part.at.data(), part.size.data(), part.n), own, fetch);
            part.put_back(own, of_class_[flow::index(of)]->has_connections(), seen);
        }
    }

    /// Of frame `i` of a burst, which is right.
    Match match(const SeenBurst& seen, unsigned i, const std::uint8_t* at) const {
        const Class of = seen.class_of(i);
        const BurstVerifier& own = *of_class_[flow::index(of)];
        const std::uint64_t connection = own.has_connections() ? seen.connection[i] : 0;
        counter::Some<counter::Remark> remarks;
        remarks.add(counter::Remark::df_differs, (seen.df_differs >> i & 1) != 0);
        return {seen.sequence[i], of, remarks, seen.stamp48[i], connection, own.source_address(at), own.source_port(at)};
    }

  private:
    struct ReceivedPart {
        unsigned n;
        const std::uint8_t* place;
        std::array<const std::uint8_t*, most_in_burst> at;
        std::array<std::uint16_t, most_in_burst> size;

        ReceivedPart(const flow::MixPattern& pattern, Class of, const std::uint8_t* const* frames, const std::uint16_t* sizes,
                     unsigned all);
        void put_back(const SeenBurst& own, bool connections, SeenBurst& whole) const;
    };

    template <typename Fetch> void look_at_class(Class of, Looking looking, SeenBurst& seen, const Fetch& fetch) const {
        const BurstVerifier& verifier = *of_class_[flow::index(of)];
        verifier.begin(looking, seen);
        if (verifier.has_connections()) fetch(seen.connection.data(), looking.n);
        verifier.finish(looking, seen);
    }
    const flow::MixPattern& classes_of(const std::uint8_t* const* at, unsigned n, SeenBurst& seen,
                                       flow::MixPattern& otherwise) const;

    const Stream& stream_;
    std::optional<Class> only_class_;
    std::array<std::optional<BurstVerifier>, flow::classes> of_class_;
    std::array<std::size_t, flow::classes> number_at_{};  // in their frames
};

}  // namespace xlatperf::frame
