#include "app/ui/without_gpu.h"

#include "app/ui/document.h"

namespace overlane
{

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
