// Prints what a directory of spools holds, as NAME=VALUE lines for the script beside this, and can
// save the trace. Usage: spool_report DIR [--save FILE.overlane]
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <string>

#include "core/io/format.h"
#include "core/spool/recording_merger.h"
#include "core/trace/trace.h"

namespace
{

using namespace overlane;

void print(const Trace& trace)
{
    std::map<std::string, std::int64_t> counts;
    std::int64_t ranges = 0;
    std::int64_t linked = 0;
    std::int64_t work = 0;
    for (std::size_t at = 0; at < trace.eventCount(); ++at) {
        const EventIndex index(at);
        const EventKind kind = trace.kind(index);
        ++counts[std::string(kindName(kind))];
        ranges += kind == EventKind::Annotation ? 1 : 0;
        if (isDeviceWork(kind)) {
            ++work;
            linked += trace.link(index).valid() ? 1 : 0;
        }
        if (const CopyInfo* copy = trace.copy(index))
            ++counts[fmt::format("{} {} {}", kindName(kind), memoryKindName(copy->hostSide(kind)),
                                 copy->async == AsyncFlag::Async ? "async" : "sync")];
        if (kind == EventKind::RuntimeCall)
            ++counts["call " + std::string(trace.name(index))];
    }
    for (const auto& [name, count] : counts)
        fmt::print("count {}={}\n", name, count);
    fmt::print("kernels={}\ncopies={}\nmemsets={}\nranges={}\nlinked={}\nwork={}\n", counts["kernel"],
               counts["copy H2D"] + counts["copy D2H"] + counts["copy D2D"] + counts["copy other"], counts["memset"],
               ranges, linked, work);
    for (const CounterSeries& series : trace.counters()) {
        double most = 0;
        for (const double value : series.values)
            most = std::max(most, value);
        fmt::print("gauge {}={:.0f}\n", trace.track(series.track).name, most);
    }
    for (const auto& [name, value] : trace.metadata().properties)
        fmt::print("property {}={}\n", name, value);
    for (const ImportStat& stat : trace.stats().all())
        fmt::print("stat {}={}\n", stat.reason, stat.count);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2 && (argc != 4 || std::strcmp(argv[2], "--save") != 0)) {
        fmt::print(stderr, "usage: spool_report DIR [--save FILE.overlane]\n");
        return 2;
    }
    TraceBuilder builder;
    TraceSinkOf<TraceBuilder> sink(builder);
    RecordingMerger merger(argv[1], sink);
    if (const Result<void> done = merger.finish(); !done.ok()) {
        fmt::print("error={}\n", done.error());
        return 1;
    }
    const RecordingTotals& totals = merger.totals();
    for (const RecordingNotice& notice : merger.takeNotices())
        fmt::print("notice {} {} {:.3f}s: {}\n", notice.pid, static_cast<unsigned>(notice.status),
                   static_cast<double>(notice.timeNs) * 1e-9, notice.sentence);
    fmt::print("processes={}\nevents={}\ncalls={}\ndropped={}\nzero_times={}\nresidual_ns={}\nspool_bytes={}\n",
               totals.processes, totals.events, totals.calls, totals.dropped, totals.zeroTimes, totals.residualNs,
               totals.spoolBytes);
    fmt::print("overhead_ms={:.3f}\ncollector_ms={:.3f}\npinned_end={:.0f}\n", totals.overheadNs * 1e-6,
               totals.collectorNs * 1e-6, totals.pinnedBytes);
    const std::int64_t baseUnixNs = builder.metadata().startEpochNs;
    fmt::print("newest_unix_ns={}\n", baseUnixNs + totals.newestNs);
    const Trace trace = builder.build();
    print(trace);
    if (argc == 4) {
        Progress progress;
        if (const Result<void> saved = writeTrace(trace, argv[3], progress); !saved.ok()) {
            fmt::print("error={}\n", saved.error());
            return 1;
        }
    }
    return 0;
}
