#include "app/ui/document.h"

#include <utility>

#include "core/analysis/kernel_record.h"
#include "core/analysis/settled_work.h"
#include "core/engine/device_profile.h"
#include "core/io/format.h"
#include "core/trace/made_by_hand.h"

namespace overlane
{

namespace
{

QString propertyText(const TraceMetadata& metadata, const char* name)
{
    const auto found = metadata.properties.find(name);
    return found == metadata.properties.end() ? QString() : QString::fromStdString(found->second);
}

// Of a trace that grows: nothing of what lies behind the last record of its GPU work.
Verdict verdictSoFar(const AnalysedTrace& growing)
{
    const SettledWork settled = settledWork(*growing.analysis, growing.steps);
    if (settled.range.empty()) {
        Verdict none;
        none.range = settled.range;
        none.sentence = "So far no GPU work is recorded.";
        return none;
    }
    Verdict soFar = withinRecord(verdict(*growing.analysis, settled.steps, settled.range), *growing.trace,
                                 growing.analysis->summarise(settled.range), settled.range);
    soFar.sentence = "So far: " + soFar.sentence;
    return soFar;
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_laboratory, &Laboratory::changed, this, [this] {
        if (!m_takingSettings && m_engine == Engine::Simulated)
            simulate();
    });
    const auto look = [this] { m_insights.ask(m_current, m_selection.range()); };
    connect(this, &Document::traceChanged, this, look);
    connect(&m_selection, &Selection::rangeChanged, this, look);
    connect(&m_gpuRuns, &GpuRuns::failed, this, &Document::failed);
    connect(&m_gpuRuns, &GpuRuns::measured, this, &Document::showMeasured);
    connect(&m_gpuRuns, &GpuRuns::grown, this, &Document::showRunning);
    for (BackgroundWorker* worker : {&m_files, &m_saver, &m_simulator, m_gpuRuns.worker()})
        connect(worker, &BackgroundWorker::busyChanged, this, [this] {
            if (!busy())
                emit idle();
        });
}

Interval Document::shownRange() const
{
    if (m_selection.range())
        return *m_selection.range();
    return m_current.trace ? m_current.trace->span() : Interval{};
}

Interval Document::judgedRange() const
{
    if (m_selection.range())
        return *m_selection.range();
    if (!m_current.analysis)
        return {};
    if (m_current.live)
        return settledWork(*m_current.analysis, m_current.steps).range;
    return overlane::judgedRange(*m_current.analysis, m_current.steps).range;
}

Summary Document::summary() const
{
    return m_current.analysis ? m_current.analysis->summarise(m_selection.range()) : Summary{};
}

std::optional<Verdict> Document::verdict() const
{
    if (!m_current.analysis)
        return {};
    if (m_current.live && !m_selection.range())
        return verdictSoFar(m_current);
    const Verdict judged = m_selection.range()
                               ? overlane::verdict(*m_current.analysis, m_current.steps, *m_selection.range())
                               : verdictOfTrace(*m_current.analysis, m_current.steps);
    return withinRecord(judged, *m_current.trace, m_current.analysis->summarise(judged.range), judged.range);
}

void Document::show(AnalysedTrace next, Origin origin, const QString& path)
{
    m_openRequest = ++m_request;  // what was asked for before is older
    m_files.cancel();
    adopt(std::move(next), origin, path);
}

bool Document::laboratoryMatchesFile() const
{
    return m_origin == Origin::File && m_current.made && m_current.made->scenario == m_laboratory.scenario();
}

void Document::simulate()
{
    if (mustAsk([this] { simulate(); }))
        return;
    const std::uint64_t request = ++m_request;
    m_simulator.post(tr("Simulating"),
                     [this, request, scenario = m_laboratory.scenario(), title = m_laboratory.runTitle(),
                      device = m_laboratory.device()](Progress& progress) -> BackgroundWorker::Continuation {
                         auto answer =
                             std::make_shared<Result<AnalysedTrace>>(simulatedTrace(scenario, device, progress));
                         return [this, request, title, answer] {
                             if (!answer->ok()) {
                                 fail(answer->error());
                                 return;
                             }
                             answer->value().title = title;
                             // While a slider moves every answer is shown, also one that is already outdated,
                             // unless the person asked for a file since.
                             if (request < m_openRequest) {
                                 m_simulationDropped = true;
                                 return;
                             }
                             adopt(std::move(*answer).value(), Origin::Laboratory, {});
                         };
                     });
}

void Document::setEngine(Engine engine)
{
    if (engine == m_engine)
        return;
    m_engine = engine;
    emit engineChanged();
}

void Document::chooseEngine(std::optional<int> gpu)
{
    if (gpu)
        m_gpuRuns.setDevice(*gpu);
    setEngine(gpu ? Engine::Gpu : Engine::Simulated);
    emit engineChosen();
}

void Document::run()
{
    if (m_engine == Engine::Simulated)
        return simulate();
    if (mustAsk([this] { run(); }))
        return;
    if (!m_gpuRuns.busy())
        m_runRequest = ++m_request;
    m_gpuRuns.start(m_laboratory.scenario());
}

void Document::runOnBoth()
{
    if (mustAsk([this] { runOnBoth(); }))
        return;
    if (!m_gpuRuns.busy())
        m_runRequest = ++m_request;
    m_gpuRuns.start(m_laboratory.scenario(), &m_laboratory.device());
}

void Document::showMeasured(const GpuAnswer& answer)
{
    ++m_request;  // what was asked for before is older
    if (answer.simulated)
        setBaseline(*answer.simulated);
    adopt(answer.measured, Origin::Laboratory, {});
    if (!answer.remarks.isEmpty())
        emit remarked(answer.remarks.join(' '));
}

void Document::setBaseline(const AnalysedTrace& kept)
{
    if (kept.trace == m_baseline.trace)
        return;
    m_baseline = kept;
    emit baselineChanged();
}

// Whoever asked for another trace since sees the run when it has ended.
void Document::showRunning(const GpuGrowth& growth)
{
    if (m_runRequest != m_request || m_follower.busy())
        return;
    m_follower.post(tr("Reading"), [this, growth](Progress& progress) -> BackgroundWorker::Continuation {
        Result<Trace> read =
            readMeasuredSoFar(growth.scenario, growth.device.toStdString(), growth.file.toStdString(), progress);
        if (!read.ok())  // not yet, or no longer
            return {};
        auto next = std::make_shared<AnalysedTrace>(analysed(std::move(read).value()));
        return [this, growth, next] {
            if (m_runRequest != m_request || !m_gpuRuns.busy())
                return;
            next->made = Laboratory::State{growth.scenario, {}, {}};
            next->gpu = growth.device;
            next->partial = true;
            next->live = true;
            if (growth.simulated)
                setBaseline(*growth.simulated);
            adopt(*next, Origin::Laboratory, {});
        };
    });
}

bool Document::measuredAsSet() const
{
    return !m_current.gpu.isEmpty() && !m_current.partial && m_current.made &&
           m_current.made->scenario == m_laboratory.scenario();
}

void Document::beginFollowing(const QString& title)
{
    m_followRequest = m_openRequest = ++m_request;
    m_followTitle = title;
}

void Document::follow(const QString& path)
{
    if (!following() || m_follower.busy())
        return;
    m_follower.post(tr("Reading"), [this, path](Progress& progress) -> BackgroundWorker::Continuation {
        Result<Trace> read = readTrace(path.toStdString(), progress);
        // A file that cannot be read yet is read when it has grown.
        if (!read.ok())
            return {};
        return [this, next = std::make_shared<AnalysedTrace>(analysed(std::move(read).value()))] {
            if (!following())
                return;
            next->title = m_followTitle;
            next->live = true;
            adopt(*next, Origin::Recording, {});
        };
    });
}

void Document::keepAsBaseline()
{
    setBaseline(m_current);
}

void Document::dropBaseline()
{
    m_baseline = {};
    emit baselineChanged();
}

void Document::cancel()
{
    m_files.cancel();
    m_saver.cancel();
    m_simulator.cancel();
    m_gpuRuns.cancel();
}

void Document::adopt(AnalysedTrace next, Origin origin, const QString& path)
{
    const bool fromFile = origin == Origin::File;
    m_selection.setEvent({});
    if (fromFile || m_origin != origin)
        m_selection.setRange({});
    // What was made of one trace says nothing of another; runs of the laboratory follow each other.
    const bool drops = !m_dirty && origin != m_origin;
    m_current = std::move(next);
    m_origin = origin;
    m_path = path;
    const QString notesBefore = m_notes;
    const TraceMetadata& metadata = m_current.trace->metadata();
    if (fromFile && !(m_keepNotes && m_dirty)) {
        m_notes = QString::fromStdString(metadata.notes);
        m_bookmarks = m_current.bookmarks.value_or(propertyText(metadata, kBookmarksProperty));
        setDirty(false);
    } else if (drops) {
        m_notes.clear();
        m_bookmarks.clear();
    }
    m_folding = propertyText(metadata, kFoldingProperty);
    emit traceChanged();
    if (m_notes != notesBefore)
        emit notesChanged();
}

void Document::setDirty(bool dirty)
{
    if (dirty == m_dirty)
        return;
    m_dirty = dirty;
    emit dirtyChanged(dirty);
}

void Document::fail(const std::string& message)
{
    if (message != Progress::kCancelled)
        emit failed(QString::fromStdString(message));
}

}  // namespace overlane
