// ActivityDecoder: turns CUPTI's records into records of the spool.
//
// Pure but for the names it interns and for what CUPTI 13 hangs on an overhead record, which it frees: a record is
// decoded once. No CUPTI function is called, so that tests decode records made by hand, without a GPU. Records without
// a time are counted and left out; so are the calls that the collector makes itself to see whether records still come.
// One thread, the collector's.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/spool/spool_writer.h"
#include "cupti/collector/activity_layouts.h"
#include "cupti/collector/recorded_calls.h"

namespace overlane
{

class ActivityDecoder
{
public:
    struct Counts {
        std::uint64_t records = 0;    // handed to the spool
        std::uint64_t zeroTimes = 0;  // without a time
        std::uint64_t unknown = 0;    // of kinds not asked for
        std::uint64_t own = 0;        // calls of `ownThread`
        std::int64_t newestNs = 0;
        std::int64_t ownCallNs = 0;  // shortest of the calls of `ownThread`
    };
    // The name of a call, or nullptr.
    using CallName = std::function<const char*(CallDomain, std::uint32_t number)>;

    // `cuptiVersion` is that of the library that made the records, 0 for the headers' own.
    ActivityDecoder(SpoolWriter& writer, CallName callName, std::uint32_t cuptiVersion);

    // Calls of this thread are counted as own and not handed on.
    void setOwnThread(std::uint32_t thread) { m_ownThread = thread; }
    // Calls that ended before are not handed on; of CUPTI's clock, INT64_MAX for all.
    void dropCallsBefore(std::int64_t timeNs) { m_firstCallNs = timeNs; }
    void decode(const CUpti_Activity& record);
    // Those that it was told and that records told.
    const std::vector<spool::Context>& contexts() const { return m_contexts; }
    void addContexts(const std::vector<spool::Context>& known);
    const Counts& counts() const { return m_counts; }
    // Threads seen in calls since the last call of this function, each once in all.
    std::vector<std::uint32_t> takeNewThreads();

private:
    void decode(const activity::Api& record, CallDomain domain);
    void decode(const activity::Kernel& record);
    void decode(const activity::GraphTrace& record);
    template <typename Record>
    void decodeCopy(const Record& record, std::uint32_t sourceDevice, std::uint32_t destinationDevice);
    void decode(const activity::Memset& record);
    void decode(const activity::Sync& record);
    void decode(const activity::Memory& record);
    void decode(const activity::Marker& record);
    void decode(const activity::MarkerData& record);
    void decode(const activity::Overhead& record);
    void decode(const activity::CudaEvent& record);
    void decode(const activity::Context& record);
    void add(const spool::Context& context);

    // Counts a record without times; false for those.
    bool timed(std::uint64_t start, std::uint64_t end);
    template <typename Record>
    void hand(const Record& record);
    // The id of a text that CUPTI owns; texts at one address are usually, not always, the same.
    std::uint32_t intern(const char* text);
    std::uint32_t callName(CallDomain domain, std::uint32_t number);

    struct KnownText {
        std::string text;
        std::uint32_t id = 0;
    };

    SpoolWriter& m_writer;
    CallName m_callName;
    std::uint32_t m_cuptiVersion;
    std::uint32_t m_ownThread = spool::kNone;
    std::int64_t m_firstCallNs = INT64_MIN;
    Counts m_counts;
    std::vector<spool::Context> m_contexts;
    std::unordered_map<const void*, KnownText> m_texts;
    std::unordered_map<std::uint32_t, std::uint32_t> m_callNames[2];
    std::unordered_set<std::uint32_t> m_threads;
    std::uint32_t m_lastThread = spool::kNone;
    std::vector<std::uint32_t> m_newThreads;
};

}  // namespace overlane
