// What few trials have of their frames: several sizes, altered fields, other MAC addresses, tags.
#include "frame/another_subscriber.h"
#include "frame/numbered_identification.h"
#include "trial/send/prepare.h"
#include "trial/send/sender.h"

namespace xlatperf::trial {

// As classes are built, size by size. Returns the frames' stamp.
std::uint64_t Sender::build_sizes(std::uint64_t first, unsigned frames) {
    for (const auto of : flow::both_classes) {
        const flow::Part& all = parts_[flow::index(of)];
        if (all.n == 0 || (only_class_ && *only_class_ != of)) continue;
        frame::OfBurst<std::uint8_t> which;
        stream_.sizes.run(stream_.mix.number_in_class(of, first), all.n, which.data());
        for (unsigned size = 0; size < stream_.sizes.sizes().size(); ++size) {
            flow::Part part;
            const frame::Image& image = stream_.sent[flow::index(of)].of_size(size);
            std::uint8_t** const own = probes_of_[flow::index(of)].data();
            for (unsigned k = 0; k < all.n; ++k) {
                if (which[k] != size) continue;
                const unsigned i = only_class_ ? k : all.place[k];
                part.sequence[part.n] = all.sequence[k];
                probes_[i] = own[part.n++] = prepare(pending_[i], image);
            }
            if (part.n == 0) continue;
            for (unsigned k = part.n; k < flow::whole_vectors(part.n); ++k) part.sequence[k] = part.sequence[0];
            frame::HeaderBurst headers;
            make_headers(of, size, part, headers);
            writers_[flow::index(of)][size].write(headers, part.sequence.data(), part.n, 0, own);
        }
    }
    const std::uint64_t now = Clock::now();
    stamp(0, frames, now);
    return now;
}

void Sender::give_source_macs(unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) stream_.source_macs->write(rte_pktmbuf_mtod(pending_[i], std::uint8_t*));
}

void Sender::number_identifications(std::uint64_t first, unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) {
        const frame::Image& image = stream_.sent_image(stream_.mix(first + i));
        if (image.family() == wire::Family::ipv4)
            frame::turn_identification(rte_pktmbuf_mtod(pending_[i], std::uint8_t*), image, first + i);
    }
}

void Sender::alter(std::uint64_t first, unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) {
        if (first + i >= stream_.fence || stream_.mix(first + i) != flow::Class::foreground) continue;
        std::vector<std::uint8_t> another;
        if (stream_.alteration.needs_another()) another = frame::of_another_subscriber(stream_, first + i);
        stream_.alteration.apply(rte_pktmbuf_mtod(pending_[i], std::uint8_t*), another.empty() ? nullptr : another.data());
    }
}

void Sender::direct(std::uint64_t first, unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) {
        const frame::Image& image = stream_.sent_image(stream_.mix(first + i));
        const auto mac = neighbors_->gateway_mac(image.outer() ? wire::Family::ipv6 : image.family());
        if (mac) std::copy(mac->begin(), mac->end(), rte_pktmbuf_mtod(pending_[i], std::uint8_t*));
    }
}

// Where the probes are stays as it is.
void Sender::put_tags(unsigned frames) {
    const wire::VlanTag tag = *port_.tag().sent;
    for (unsigned i = 0; i < frames; ++i) port::put_tag(pending_[i], tag);
}

}  // namespace xlatperf::trial
