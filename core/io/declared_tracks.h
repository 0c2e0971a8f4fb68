// DeclaredTracks: the tracks that a Chrome trace of Overlane declares (chrome_schema.h), and its events, which name
// theirs. A file without the member "overlane" before its events declares none.
//
// Files come from strangers: a declaration that makes no sense is refused, and events without a declared track are read
// as those of any Chrome trace. Borrows the builder; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/chrome_event.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

class DeclaredTracks
{
public:
    explicit DeclaredTracks(TraceBuilder& builder) : m_builder(builder) {}

    // The member "overlane" of the file.
    void describe(std::string_view json);
    bool isDescribed() const { return m_isDescribed; }
    // To be taken off every time of the file.
    std::int64_t zeroNs() const { return m_zeroNs; }

    // False where the event declares none, or none that can be.
    bool declare(const ChromeEvent& event);
    // An event at its time on the track that it names; none where it names none.
    std::optional<Event> event(const ChromeEvent& event, std::int64_t startNs, std::int64_t durationNs);
    // The counter that a counter event is of.
    TrackId counter(const ChromeEvent& event) const;

    // The metadata and counts as they were, in place of what the file says otherwise; damage that was found in this
    // file is added.
    void finish(const std::vector<DeviceInfo>& devices);

private:
    void restoreCounts();

    struct Declared {
        TrackId id;
        bool isCounter = false;
        int depth = 0;
    };
    const Declared* find(std::string_view number) const;

    TraceBuilder& m_builder;
    std::vector<Declared> m_tracks;  // by their number in the file
    std::map<std::string, std::string> m_properties;
    std::string m_format, m_title, m_scenario;
    std::vector<ImportStat> m_stats;
    std::int64_t m_events = -1;
    std::int64_t m_sourceEvents = 0;
    std::int64_t m_startEpochNs = 0;
    std::int64_t m_zeroNs = 0;
    bool m_isDescribed = false;
};

}  // namespace overlane
