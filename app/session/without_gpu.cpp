#include "app/session/without_gpu.h"

#include <algorithm>

#include "app/session/document.h"

namespace overlane
{

namespace
{

// Something of the file could not be read.
bool isDamaged(const Trace& trace)
{
    const auto stats = trace.stats().all();
    return std::any_of(stats.begin(), stats.end(),
                       [](const ImportStat& stat) { return stat.severity == Severity::Error; });
}

bool isTensorFlow1(const Trace& trace)
{
    return std::any_of(trace.tracks().begin(), trace.tracks().end(), [](const Track& track) {
        return track.kind == TrackKind::Process && track.name.find("/device:GPU:") != std::string::npos;
    });
}

}  // namespace

QString withoutGpuSentence(const Document& document)
{
    if (document.current().live)
        return QObject::tr("So far no GPU work is recorded.");
    if (document.trace()->eventCount() == 0)
        return QObject::tr("This trace is empty.");
    return QObject::tr("There is no GPU work in this trace: nothing to judge.");
}

QString withoutGpuAdvice(const Document& document)
{
    if (document.current().live)
        return QObject::tr("What it costs and why is said here once the program uses its GPU.");
    if (isDamaged(*document.trace()))
        return QObject::tr(
            "The file is cut or damaged, and its GPU work may be in the part that is missing: copy it again, or record "
            "again and let the profiler finish writing.");
    if (isTensorFlow1(*document.trace()))
        return QObject::tr(
            "This timeline of TensorFlow 1 holds the operations of the host only: record with trace_level FULL_TRACE, "
            "with nsys, or File > Record a program.");
    if (document.trace()->eventCount() == 0)
        return QObject::tr(
            "Record again, until some steps have ended: File > Record a program, or torch.profiler around more of "
            "them.");
    return QObject::tr(
        "Record the GPU too: ProfilerActivity.CUDA among the activities of torch.profiler, cuda among the traces of "
        "nsys, or "
        "File > Record a program.");
}

}  // namespace overlane
