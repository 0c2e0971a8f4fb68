#include "app/second/compare_source.h"

#include <algorithm>

#include <QFileInfo>

#include "app/session/file_bytes.h"
#include "app/widgets/text.h"
#include "core/compare/device_steps.h"
#include "core/io/format.h"
#include "core/judgement/judgement.h"

namespace overlane
{

namespace
{

FindingList findingsOf(const AnalyzedTrace& trace, const WorkMeter& work)
{
    return judge({*trace.trace, *trace.analysis, trace.steps.steps}, {}, work).findings;
}

Result<std::shared_ptr<const ComparedTraces>> made(const AnalyzedTrace& a, const AnalyzedTrace& b,
                                                   const AlignmentWish& wish, const WorkMeter& work)
{
    ASSIGN_OR_RETURN(Comparison compared, compare({a.trace.get(), a.analysis.get(), &a.steps},
                                                  {b.trace.get(), b.analysis.get(), &b.steps}, wish, work));
    auto answer = std::make_shared<ComparedTraces>();
    const std::vector<Step> devicesA = deviceSteps(*a.trace, *a.analysis, a.steps).steps;
    const std::vector<Step> devicesB = deviceSteps(*b.trace, *b.analysis, b.steps).steps;
    answer->stepCount = static_cast<int>(std::min(devicesA.size(), devicesB.size()));
    if (const auto& aligned = compared.alignment.a; !aligned.steps.empty()) {
        const auto first = std::find_if(devicesA.begin(), devicesA.end(), [&](const Step& step) {
            return step.interval.startNs == aligned.steps.front().startNs;
        });
        answer->step = first == devicesA.end() ? 0 : static_cast<int>(first - devicesA.begin());
    }
    answer->a = a;
    answer->b = b;
    answer->comparison = std::move(compared);
    answer->findingsA = findingsOf(a, work);
    answer->findingsB = findingsOf(b, work);
    answer->findings = findingChanges(answer->findingsA, answer->findingsB);
    return std::shared_ptr<const ComparedTraces>(std::move(answer));
}

}  // namespace

Result<std::shared_ptr<const ComparedTraces>> comparedTraces(const AnalyzedTrace& a, const AnalyzedTrace& b,
                                                             const AlignmentWish& wish, const Progress* progress)
{
    return attempt("compare the two traces", progress, [&](const WorkMeter& work) { return made(a, b, wish, work); });
}

CompareSource::CompareSource(Document* document, QObject* parent) : QObject(parent), m_document(document)
{
    connect(document, &Document::traceChanged, this, [this] {
        if (!active() || m_swapping)
            return;
        if (otherIsA() || m_line == m_document->line() || m_line == m_document->comingLine())
            compare();
        else
            close();
    });
    connect(document, &Document::baselineChanged, this, [this] {
        if (m_swapping || (m_file.trace && !m_document->baseline().trace))
            return;
        if (m_document->baseline().trace)
            m_reader.forget();
        m_file = {};
        choose();
    });
}

void CompareSource::open(const QString& path)
{
    m_reader.cancel();
    const std::uint64_t line = m_document->comingLine();
    m_reader.run(
        u"Opening %1"_s.arg(QFileInfo(path).fileName()),
        [path](Progress& progress) -> Result<AnalyzedTrace> {
            ASSIGN_OR_RETURN(Trace read, readTrace(fileBytes(path), progress));
            return analyzed(std::move(read), progress);
        },
        [this, path, line](Result<AnalyzedTrace> next) {
            if (!next.ok()) {
                if (!next.isCancelled())
                    emit failed(QString::fromStdString(next.error()));
                return;
            }
            if (line != m_document->line() && line != m_document->comingLine())
                return;  // another trace is shown by now
            Document::Other file = {std::move(next).value(), Document::Origin::File, path};
            file.title = QFileInfo(path).fileName();
            takeFile(std::move(file), line);
        });
}

void CompareSource::take(const Document::Other& other)
{
    m_reader.forget();
    takeFile(other, m_document->line());
}

void CompareSource::takeFile(Document::Other file, std::uint64_t line)
{
    m_file = std::move(file);
    m_line = line;
    m_document->dropBaseline();
    choose();
}

void CompareSource::restore(const Document::Other& file)
{
    m_reader.forget();
    m_file = file;
    m_line = m_document->line();
    choose();
}

void CompareSource::choose()
{
    m_wish = {};
    m_answer.reset();
    m_error.clear();
    compare();
    emit chosen();
}

void CompareSource::close()
{
    m_reader.forget();
    if (otherIsA())
        return m_document->dropBaseline();
    m_file = {};
    choose();
}

void CompareSource::swap()
{
    if (!active() || !m_document->trace())
        return;
    const Document::Other shown = m_document->shown();
    const Document::Other next = other();
    m_answer.reset();
    m_swapping = true;
    m_document->show(next, next.origin, next.path);
    if (otherIsA())
        m_document->setBaseline(shown);
    else
        m_file = shown;
    m_swapping = false;
    m_line = m_document->line();
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
    // An answer for other traces, or for another wish, is of no use any more.
    m_comparer.forget();
    const bool partial = m_document->current().partial;  // the beginning of a run, which is not compared
    if (partial)
        m_answer.reset();
    emit changed();
    if (!active() || !m_document->trace() || partial)
        return;
    m_comparer.run(
        u"Comparing"_s,
        [a = otherIsA() ? other() : m_document->current(), b = otherIsA() ? m_document->current() : other(),
         wish = m_wish](Progress& progress) { return comparedTraces(a, b, wish, &progress); },
        [this](Result<std::shared_ptr<const ComparedTraces>> answer) {
            m_error = answer.ok() ? QString() : QString::fromStdString(answer.error());
            if (answer.ok())
                m_answer = answer.value();
            emit changed();
        });
}

}  // namespace overlane
