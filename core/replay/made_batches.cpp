// Batches that the launching thread makes itself: a loader without workers.
#include <algorithm>
#include <utility>

#include "core/replay/batch_name.h"
#include "core/replay/program_builder.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// Numbers that start again more often than this are those of several loaders in turns, not of epochs.
constexpr std::size_t kFewestOfEpoch = 4;

}  // namespace

// The recorder shows the making of a batch, and its pinning, as the loader's work on the thread itself.
bool ProgramBuilder::isMade(EventIndex event, const Track& track)
{
    return (track.kind == TrackKind::Thread || loaderRole(track) == LoaderRole::Training) &&
           m_trace.kind(event) == EventKind::Loader &&
           (nameClass(event) == NameClass::MakesBatch || nameClass(event) == NameClass::PinsBatch);
}

void ProgramBuilder::findMadeBatches(LoaderProgram& loader, const std::vector<std::uint32_t>& makes)
{
    std::vector<MadeBatch>& made = loader.made;
    std::size_t epochs = 0;
    for (const std::uint32_t at : makes) {
        const HostCall& call = m_program.calls[at];
        if (nameClass(call.event) == NameClass::PinsBatch) {
            if (!made.empty() && made.back().pinCall == kNoIndex)
                made.back().pinCall = at;
            continue;
        }
        // A dataset that uses the GPU itself cannot be in another process.
        if (call.endNs < m_trace.interval(call.event).endNs) {
            made.clear();
            break;
        }
        const std::int64_t named = batchNumber(m_trace.name(call.event));
        const auto place = static_cast<std::int32_t>(named >= 0 ? named : made.empty() ? 0 : made.back().place + 1);
        const bool first = made.empty() || place <= made.back().place;
        epochs += first;
        made.push_back({at, kNoIndex, place, first});
    }
    loader.inThread = loader.inThread || !made.empty();
    if (epochs * kFewestOfEpoch > made.size())
        for (std::size_t at = 0; at < made.size(); ++at) {
            made[at].place = static_cast<std::int32_t>(at);
            made[at].firstOfEpoch = at == 0;
        }
}

// What such a loader is asked for is work of the thread, and nothing that it waits for.
void ProgramBuilder::makeFetches(LoaderProgram& loader)
{
    std::vector<std::uint32_t>& makes = m_makes[static_cast<std::size_t>(&loader - m_program.loaders.data())];
    for (const LoaderBatch& batch : loader.batches) {
        HostCall& fetch = m_program.calls[batch.fetch];
        fetch.kind = CallKind::Make;
        fetch.costNs = fetch.endNs - fetch.startNs;
        fetch.tailNs = 0;
        fetch.batch = -1;
        if (fetch.thread == loader.thread)
            makes.push_back(batch.fetch);
    }
    std::sort(makes.begin(), makes.end());
    LoaderProgram none;
    none.thread = loader.thread;
    none.process = loader.process;
    loader = std::move(none);
    findMadeBatches(loader, makes);
}

}  // namespace overlane
