#include "app/verdict/easiest_source.h"

#include <utility>

#include "app/session/document.h"
#include "app/widgets/text.h"
#include "core/judgement/judgement.h"
#include "core/replay/easiest_change.h"
#include "core/system/memory_status.h"

namespace overlane
{
namespace
{

constexpr int kPauseMs = 400;

// By the whole trace, whatever range is selected.
Result<std::optional<Prediction>> easiestOf(const AnalyzedTrace& shown, Progress& progress)
{
    JudgeRequest request;
    request.depth = Depth::Verdict;
    const Judgement judgement = judge({*shown.trace, *shown.analysis, shown.steps.steps}, request);
    ReplayOptions options;
    options.averageStepNs = judgement.stepNs;
    options.range = judgement.range;
    options.ramBytes = machineMemory().totalBytes;
    return easiestChange(shown.trace, *shown.analysis, judgement.verdict, options, &progress);
}

}  // namespace

EasiestSource::EasiestSource(Document* document, QObject* parent) : QObject(parent), m_document(document)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &EasiestSource::predict);
    connect(document, &Document::traceChanged, this, [this] {
        if (m_document->trace() != m_trace)
            forget();
    });
    connect(document, &Document::stepsChanged, this, &EasiestSource::forget);
}

void EasiestSource::forget()
{
    m_worker.forget();
    m_trace = m_document->trace();
    if (m_trace && !m_document->current().live && !m_document->current().partial)
        m_pause.start();
    else
        m_pause.stop();
    if (std::exchange(m_easiest, std::nullopt))
        emit changed();
}

void EasiestSource::predict()
{
    m_worker.run(
        u"Predicting"_s, [shown = m_document->current()](Progress& progress) { return easiestOf(shown, progress); },
        [this](Result<std::optional<Prediction>> found) {
            // Without memory for it the verdict stands without a prediction, as it does for other reasons.
            if (!found.ok() || !found.value())
                return;
            m_easiest = std::move(found).value();
            emit changed();
        });
}

}  // namespace overlane
