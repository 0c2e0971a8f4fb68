#include "app/ui/compare_source.h"

#include <algorithm>
#include <utility>

#include <QFileInfo>

#include "core/analysis/verdict.h"
#include "core/compare/device_steps.h"
#include "core/findings/findings.h"
#include "core/io/format.h"

namespace overlane
{

namespace
{

StepSequence sequenceOf(const AnalysedTrace& trace)
{
    StepSequence sequence;
    sequence.steps = trace.steps;
    sequence.origin = trace.stepOrigin;
    sequence.confidence = trace.stepConfidence;
    return sequence;
}

FindingList findingsOf(const AnalysedTrace& trace)
{
    return findings(*trace.trace, *trace.analysis, trace.steps, judgedRange(*trace.analysis, trace.steps).range);
}

}  // namespace

Result<std::shared_ptr<const ComparedTraces>> comparedTraces(const AnalysedTrace& a, const AnalysedTrace& b,
                                                             const AlignmentWish& wish)
{
    const StepSequence stepsA = sequenceOf(a);
    const StepSequence stepsB = sequenceOf(b);
    Result<Comparison> compared =
        compare({a.trace.get(), a.analysis.get(), &stepsA}, {b.trace.get(), b.analysis.get(), &stepsB}, wish);
    if (!compared.ok())
        return Error{compared.error()};
    auto answer = std::make_shared<ComparedTraces>();
    const std::vector<Step> devicesA = deviceSteps(*a.trace, *a.analysis, stepsA).steps;
    const std::vector<Step> devicesB = deviceSteps(*b.trace, *b.analysis, stepsB).steps;
    answer->stepCount = static_cast<int>(std::min(devicesA.size(), devicesB.size()));
    if (const auto& aligned = compared.value().alignment.a; !aligned.steps.empty()) {
        const auto first = std::find_if(devicesA.begin(), devicesA.end(), [&](const Step& step) {
            return step.interval.startNs == aligned.steps.front().startNs;
        });
        answer->step = first == devicesA.end() ? 0 : static_cast<int>(first - devicesA.begin());
    }
    answer->a = a;
    answer->b = b;
    answer->comparison = std::move(compared).value();
    answer->findingsA = findingsOf(a);
    answer->findingsB = findingsOf(b);
    answer->findings = findingChanges(answer->findingsA, answer->findingsB);
    return std::shared_ptr<const ComparedTraces>(std::move(answer));
}

CompareSource::CompareSource(Document* document, QObject* parent) : QObject(parent), m_document(document)
{
    connect(document, &Document::traceChanged, this, [this] {
        if (active() && !m_swapping)
            compare();
    });
}

void CompareSource::open(const QString& path)
{
    m_reader.cancel();
    m_reader.post(tr("Opening %1").arg(QFileInfo(path).fileName()),
                  [this, path](Progress& progress) -> BackgroundWorker::Continuation {
                      auto read = std::make_shared<Result<Trace>>(readTrace(path.toStdString(), progress));
                      auto next = std::make_shared<AnalysedTrace>();
                      if (read->ok())
                          *next = analysed(std::move(*read).value());
                      return [this, path, read, next] {
                          if (!read->ok()) {
                              if (read->error() != Progress::kCancelled)
                                  emit failed(QString::fromStdString(read->error()));
                              return;
                          }
                          next->title = QFileInfo(path).fileName();
                          m_b = std::move(*next);
                          m_path = path;
                          m_origin = Document::Origin::File;
                          m_kept = m_keptIsA = false;
                          m_wish = {};
                          m_answer.reset();
                          compare();
                          emit opened(path);
                      };
                  });
}

void CompareSource::take(const AnalysedTrace& kept)
{
    m_reader.cancel();
    m_b = kept;
    m_path.clear();
    m_origin = Document::Origin::Laboratory;
    m_kept = m_keptIsA = true;
    m_wish = {};
    m_answer.reset();
    compare();
    emit opened({});
}

void CompareSource::close()
{
    cancel();
    ++m_request;
    m_b = {};
    m_kept = m_keptIsA = false;
    m_path.clear();
    m_wish = {};
    m_answer.reset();
    m_error.clear();
    emit changed();
}

void CompareSource::swap()
{
    if (!active() || !m_document->trace())
        return;
    const AnalysedTrace above = m_document->current();
    const QString path = m_document->path();
    const Document::Origin origin = m_document->origin();
    const AnalysedTrace below = std::exchange(m_b, above);
    const QString belowPath = std::exchange(m_path, path);
    const Document::Origin belowOrigin = std::exchange(m_origin, origin);
    m_keptIsA = m_kept && !m_keptIsA;
    m_answer.reset();
    m_swapping = true;
    m_document->show(below, belowOrigin, belowPath);
    m_swapping = false;
    compare();
}

void CompareSource::setWish(const AlignmentWish& wish)
{
    m_wish = wish;
    if (active())
        compare();
}

void CompareSource::cancel()
{
    m_reader.cancel();
    m_comparer.cancel();
}

void CompareSource::compare()
{
    const std::uint64_t request = ++m_request;
    if (!m_document->trace()) {
        emit changed();
        return;
    }
    emit changed();
    m_comparer.post(
        tr("Comparing"),
        [this, request, a = m_keptIsA ? m_b : m_document->current(), b = m_keptIsA ? m_document->current() : m_b,
         wish = m_wish](Progress&) -> BackgroundWorker::Continuation {
            auto answer = std::make_shared<Result<std::shared_ptr<const ComparedTraces>>>(comparedTraces(a, b, wish));
            return [this, request, answer] {
                if (request != m_request)
                    return;
                m_error = answer->ok() ? QString() : QString::fromStdString(answer->error());
                if (answer->ok())
                    m_answer = answer->value();
                emit changed();
            };
        });
}

}  // namespace overlane
