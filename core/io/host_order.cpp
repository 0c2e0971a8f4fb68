#include "core/io/host_order.h"

#include <algorithm>
#include <tuple>

#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

bool startsGpuWork(std::string_view call)
{
    const auto has = [&](std::string_view part) { return call.find(part) != std::string_view::npos; };
    return has("Launch") || has("Memcpy") || has("Memset") || has("launch") || has("memcpy");
}

}  // namespace

HostOrder::Entry* HostOrder::find(TrackId track)
{
    if (track.index() >= m_entryOfTrack.size() || m_entryOfTrack[track.index()] == 0)
        return nullptr;
    return &m_entries[m_entryOfTrack[track.index()] - 1];
}

void HostOrder::add(Entry entry)
{
    if (m_entryOfTrack.size() <= entry.track.index())
        m_entryOfTrack.resize(entry.track.index() + 1, 0);
    m_entries.push_back(entry);
    m_entryOfTrack[entry.track.index()] = static_cast<std::uint32_t>(m_entries.size());
}

void HostOrder::addProcess(TrackId process)
{
    add({.track = process, .process = {}});
}

void HostOrder::addThread(TrackId process, TrackId thread, bool isMain)
{
    add({.track = thread, .process = process, .isMain = isMain});
}

void HostOrder::setSourceOrder(TrackId thread, std::int32_t order)
{
    if (Entry* entry = find(thread))
        entry->sourceOrder = order;
}

void HostOrder::note(TrackId thread, EventKind kind, std::string_view name)
{
    Entry* entry = find(thread);
    if (!entry || kind == EventKind::Overhead)
        return;
    entry->works = true;
    if (!entry->launches && kind == EventKind::RuntimeCall)
        entry->launches = startsGpuWork(name);
}

void HostOrder::markBookkeeping(TrackId process)
{
    if (Entry* entry = find(process))
        entry->bookkeeping = true;
}

void HostOrder::order(std::vector<Entry*> siblings)
{
    std::stable_sort(siblings.begin(), siblings.end(), [](const Entry* a, const Entry* b) {
        const auto rank = [](const Entry* entry) {
            return std::tuple(entry->bookkeeping, entry->launches, entry->launches && entry->isMain,
                              entry->sourceOrder);
        };
        return rank(a) < rank(b);
    });
    std::int32_t place = 0;
    for (const Entry* entry : siblings) {
        m_builder.setTrackOrder(entry->track, (entry->bookkeeping ? kBookkeepingTrackOrder : 0) + place++);
        if (entry->bookkeeping)
            m_builder.markBookkeeping(entry->track);
    }
}

void HostOrder::finish()
{
    std::vector<Entry*> processes;
    std::vector<std::vector<Entry*>> threadsOf(m_entries.size());  // by the place of their process
    for (Entry& entry : m_entries) {
        ++m_visits;
        if (!entry.process.valid())
            processes.push_back(&entry);
        else if (const Entry* process = find(entry.process))
            threadsOf[static_cast<std::size_t>(process - m_entries.data())].push_back(&entry);
    }
    for (Entry* process : processes) {
        std::vector<Entry*>& threads = threadsOf[static_cast<std::size_t>(process - m_entries.data())];
        for (Entry* thread : threads) {
            ++m_visits;
            thread->bookkeeping = !thread->works;
            process->works = process->works || thread->works;
            process->launches = process->launches || thread->launches;
        }
        process->bookkeeping = process->bookkeeping || (!process->works && !threads.empty());
        order(std::move(threads));
    }
    order(std::move(processes));
}

}  // namespace overlane
