#include "app/session/without_gpu.h"

#include <algorithm>

#include "app/session/document.h"
#include "app/widgets/text.h"

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
        return u"So far no GPU work is recorded."_s;
    if (document.trace()->eventCount() == 0)
        return u"This trace is empty."_s;
    return u"There is no GPU work in this trace: nothing to judge."_s;
}

QString withoutGpuAdvice(const Document& document)
{
    if (document.current().live)
        return u"What it costs and why is said here once the program uses its GPU."_s;
    if (isDamaged(*document.trace()))
        return u"The file is cut or damaged, and its GPU work may be in the part that is missing: copy it again, or "
               u"record "
               "again and let the profiler finish writing."_s;
    if (isTensorFlow1(*document.trace()))
        return u"This timeline of TensorFlow 1 holds the operations of the host only: record with trace_level "
               u"FULL_TRACE, "
               "with nsys, or File > Record a program."_s;
    if (document.trace()->eventCount() == 0 && document.trace()->origin().origin == TraceOrigin::Recorded)
        return u"No process of the program used the GPU: check that it can (overlane doctor, "
               u"torch.cuda.is_available()), and record again."_s;
    if (document.trace()->eventCount() == 0)
        return u"Record again, until some steps have ended: File > Record a program, or torch.profiler around more of "
               "them."_s;
    return u"Record the GPU too: ProfilerActivity.CUDA among the activities of torch.profiler, cuda among the traces "
           u"of "
           "nsys, or "
           "File > Record a program."_s;
}

}  // namespace overlane
