#include "app/ui/document.h"

#include <utility>

#include <QFileInfo>

#include "core/engine/device_profile.h"
#include "core/io/format.h"
#include "core/loader/run.h"

namespace overlane
{

namespace
{

Result<AnalysedTrace> analysed(Result<Trace> read)
{
    if (!read.ok())
        return Error{read.error()};
    AnalysedTrace answer;
    answer.writable = std::make_shared<Trace>(std::move(read).value());
    answer.trace = answer.writable;
    answer.analysis = std::make_shared<const Analysis>(*answer.trace);
    answer.steps = findSteps(*answer.trace);
    answer.title = QString::fromStdString(answer.trace->metadata().title);
    return answer;
}

Result<Trace> simulated(const Scenario& scenario, const DeviceProfile& device, Progress& progress)
{
    Result<RunResult> run = simulate(scenario, device, &progress);
    if (!run.ok())
        return Error{run.error()};
    return std::move(run).value().trace;
}

}  // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_laboratory, &Laboratory::changed, this, &Document::simulate);
    for (BackgroundWorker* worker : {&m_files, &m_saver, &m_simulator})
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
    return overlane::verdict(*m_current.analysis, m_current.steps, shownRange());
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
                         std::make_shared<Result<AnalysedTrace>>(analysed(readTrace(path.toStdString(), progress)));
                     return [this, request, path, answer] {
                         if (!answer->ok()) {
                             fail(answer->error());
                             if (request == m_openRequest && m_simulationDropped && m_origin == Origin::Laboratory)
                                 simulate();
                             return;
                         }
                         if (request != m_request)
                             return;
                         AnalysedTrace next = std::move(*answer).value();
                         next.title = QFileInfo(path).fileName();
                         adopt(std::move(next), Origin::File, path);
                         emit opened(path);
                     };
                 });
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
                             std::make_shared<Result<AnalysedTrace>>(analysed(simulated(scenario, device, progress)));
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

void Document::keepAsBaseline()
{
    m_baseline = m_current;
    emit baselineChanged();
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
