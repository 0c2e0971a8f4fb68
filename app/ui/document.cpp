#include "app/ui/document.h"

#include <utility>

#include <QFileInfo>

#include "core/analysis/kernel_record.h"
#include "core/engine/device_profile.h"
#include "core/io/format.h"
#include "core/loader/settings.h"

namespace overlane
{

namespace
{

struct OpenedTrace {
    AnalysedTrace trace;
    std::string settingsError;  // why the laboratory settings in the file cannot be used
};

// A file that the laboratory made brings its settings along.
Result<OpenedTrace> readWithSettings(const std::string& path, Progress& progress)
{
    Result<Trace> read = readTrace(path, progress);
    if (!read.ok())
        return Error{read.error()};
    OpenedTrace answer{analysed(std::move(read).value()), {}};
    const TraceMetadata& metadata = answer.trace.trace->metadata();
    if (metadata.scenarioJson.empty())
        return answer;
    const Result<Scenario> scenario = scenarioFromJson(metadata.scenarioJson);
    if (!scenario.ok()) {
        answer.settingsError = scenario.error();
        return answer;
    }
    const auto device = metadata.properties.find("device");
    answer.trace.partial = metadata.properties.contains(kStoppedProperty);
    answer.trace.made =
        Laboratory::State{scenario.value(), {}, device != metadata.properties.end() ? device->second : std::string()};
    return answer;
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

Summary Document::summary() const
{
    return m_current.analysis ? m_current.analysis->summarise(m_selection.range()) : Summary{};
}

std::optional<Verdict> Document::verdict() const
{
    if (!m_current.analysis)
        return {};
    const Verdict judged = m_selection.range()
                               ? overlane::verdict(*m_current.analysis, m_current.steps, *m_selection.range())
                               : verdictOfTrace(*m_current.analysis, m_current.steps);
    return withinRecord(judged, *m_current.trace, m_current.analysis->summarise(judged.range), judged.range);
}

void Document::setNotes(const QString& notes)
{
    if (notes == m_notes)
        return;
    m_notes = notes;
    setDirty(true);
}

void Document::open(const QString& path)
{
    const std::uint64_t request = ++m_request;
    m_openRequest = request;
    m_simulationDropped = false;
    m_files.cancel();
    m_files.post(tr("Opening %1").arg(QFileInfo(path).fileName()),
                 [this, request, path](Progress& progress) -> BackgroundWorker::Continuation {
                     auto answer =
                         std::make_shared<Result<OpenedTrace>>(readWithSettings(path.toStdString(), progress));
                     return [this, request, path, answer] {
                         if (!answer->ok()) {
                             fail(answer->error());
                             if (request == m_openRequest && m_simulationDropped && m_origin == Origin::Laboratory)
                                 simulate();
                             return;
                         }
                         if (request != m_request)
                             return;
                         OpenedTrace next = std::move(*answer).value();
                         const QString name = QFileInfo(path).fileName();
                         next.trace.title = name;
                         adopt(std::move(next.trace), Origin::File, path);
                         takeSettings(name);
                         emit opened(path);
                         if (!next.settingsError.empty())
                             emit failed(tr("%1 is open, but the laboratory cannot take over the settings stored in "
                                            "it: %2")
                                             .arg(name, QString::fromStdString(next.settingsError)));
                     };
                 });
}

void Document::show(AnalysedTrace next, Origin origin, const QString& path)
{
    m_openRequest = ++m_request;  // what was asked for before is older
    m_files.cancel();
    adopt(std::move(next), origin, path);
}

void Document::takeSettings(const QString& title)
{
    if (!m_current.made)
        return;
    m_takingSettings = true;
    m_laboratory.takeOver(*m_current.made, tr("Settings of %1").arg(title));
    m_takingSettings = false;
}

bool Document::laboratoryMatchesFile() const
{
    return m_origin == Origin::File && m_current.made && m_current.made->scenario == m_laboratory.scenario();
}

void Document::save(const QString& path)
{
    if (!m_current.trace)
        return;
    m_saver.post(tr("Saving %1").arg(QFileInfo(path).fileName()),
                 [this, path, trace = m_current.writable,
                  notes = m_notes](Progress& progress) -> BackgroundWorker::Continuation {
                     trace->setNotes(notes.toStdString());
                     const auto answer =
                         std::make_shared<Result<void>>(writeTrace(*trace, path.toStdString(), progress));
                     return [this, path, trace, notes, answer] {
                         if (!answer->ok()) {
                             fail(answer->error());
                             return;
                         }
                         if (trace == m_current.trace) {
                             m_path = path;
                             if (notes == m_notes)
                                 setDirty(false);
                         }
                         emit saved(path);
                     };
                 });
}

void Document::simulate()
{
    const std::uint64_t request = ++m_request;
    m_simulator.post(tr("Simulating"),
                     [this, request, scenario = m_laboratory.scenario(),
                      device = m_laboratory.device()](Progress& progress) -> BackgroundWorker::Continuation {
                         auto answer =
                             std::make_shared<Result<AnalysedTrace>>(simulatedTrace(scenario, device, progress));
                         return [this, request, answer] {
                             if (!answer->ok()) {
                                 fail(answer->error());
                                 return;
                             }
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
    if (!m_gpuRuns.busy())
        m_runRequest = ++m_request;
    m_gpuRuns.start(m_laboratory.scenario());
}

void Document::runOnBoth()
{
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
    m_current = std::move(next);
    m_origin = origin;
    m_path = path;
    if (fromFile) {
        m_notes = QString::fromStdString(m_current.trace->metadata().notes);
        setDirty(false);
    }
    emit traceChanged();
    if (fromFile)
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
