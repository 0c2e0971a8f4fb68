#include "app/session/document.h"

#include <utility>

#include "app/session/first_look.h"
#include "app/widgets/text.h"
#include "core/devices/device_profile.h"
#include "core/io/format.h"
#include "core/loader/settings.h"
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

}  // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    connect(&m_laboratory, &Laboratory::changed, this, [this] {
        if (!m_takingSettings && m_engine == Engine::Simulated && !isOpened())
            simulate();
    });
    const auto look = [this] {
        m_judgement.reset();
        m_insights.ask(m_current, m_selection.range());
    };
    connect(this, &Document::traceChanged, this, look);
    connect(&m_selection, &Selection::rangeChanged, this, look);
    connect(&m_gpuRuns, &GpuRuns::failed, this, &Document::failed);
    connect(&m_insights, &InsightSource::failed, this, &Document::failed);
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

const Judgement* Document::judgement() const
{
    if (!m_current.analysis)
        return nullptr;
    const auto& range = m_selection.range();
    if (!m_judgement && !range && !m_current.live)
        m_judgement = m_current.judged;
    if (!m_judgement)
        m_judgement = judgementOf(m_current, range, m_current.live);
    return m_judgement.get();
}

Interval Document::judgedRange() const
{
    return judgement() ? judgement()->range : Interval{};
}

Summary Document::summary() const
{
    return m_current.analysis ? m_current.analysis->summarize(m_selection.range()) : Summary{};
}

void Document::show(AnalyzedTrace next, Origin origin, const QString& path)
{
    m_openRequest = ++m_request;  // what was asked for before is older
    m_files.cancel();
    adopt(std::move(next), origin, path, Look::AsBefore);
}

bool Document::laboratoryMatchesFile() const
{
    return m_origin == Origin::File && m_current.made && m_current.made->scenario == m_laboratory.scenario();
}

void Document::simulate()
{
    if (mustAsk([this] { simulate(); }))
        return;
    // While a slider moves every answer is shown, also one that is already outdated, unless the person asked for a file
    // since.
    m_simulator.run(
        u"Simulating"_s,
        [scenario = m_laboratory.scenario(), device = m_laboratory.device()](Progress& progress) {
            return simulatedTrace(scenario, device, progress);
        },
        [this, request = ++m_request, title = m_laboratory.runTitle()](Result<AnalyzedTrace> answer) {
            if (!answer.ok())
                return fail(answer.failure());
            answer.value().title = title;
            if (request < m_openRequest) {
                m_simulationDropped = true;
                return;
            }
            adopt(std::move(answer).value(), Origin::Laboratory, {});
            followSettings();
        },
        BackgroundWorker::Stale::Take);
}

// Simulates again where the run shown is not of the present settings: they changed while an opened trace was shown, or
// undo brought an older run back.
void Document::followSettings()
{
    if (m_origin != Origin::Laboratory || m_engine != Engine::Simulated || m_simulator.busy() ||
        !m_current.gpu.isEmpty())
        return;
    const TraceMetadata& metadata = m_current.trace->metadata();
    if (metadata.scenarioJson != scenarioToJson(m_laboratory.scenario()) ||
        propertyText(metadata, "device") != QString::fromStdString(m_laboratory.device().key))
        simulate();
}

void Document::simulateWith(const std::function<void()>& change)
{
    if (mustAsk([this, change] { simulateWith(change); }))
        return;
    m_takingSettings = true;
    change();
    m_takingSettings = false;
    setEngine(Engine::Simulated);
    simulate();
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
    if (mustAsk([this, answer] { showMeasured(answer); }))  // a file was opened since
        return;
    ++m_request;  // what was asked for before is older
    if (answer.simulated)
        setBaseline({*answer.simulated, Origin::Laboratory, {}});
    adopt(answer.measured, Origin::Laboratory, {});
    if (!answer.remarks.isEmpty())
        emit remarked(answer.remarks.join(' '));
}

void Document::setBaseline(const Other& kept)
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
    m_follower.run(
        u"Reading"_s,
        [growth](Progress& progress) -> Result<AnalyzedTrace> {
            Result<Trace> read =
                readMeasuredSoFar(growth.scenario, growth.device.toStdString(), growth.file.toStdString(), progress);
            if (!read.ok())  // not yet, or no longer
                return Error::cancelled();
            return analyzed(std::move(read).value(), progress);
        },
        [this, growth](Result<AnalyzedTrace> read) {
            if (!read.ok())
                return fail(read.failure());
            if (m_runRequest != m_request || !m_gpuRuns.busy())
                return;
            AnalyzedTrace next = std::move(read).value();
            next.made = Laboratory::State{growth.scenario, {}, {}};
            next.gpu = growth.device;
            next.partial = true;
            next.live = true;
            if (growth.simulated)
                setBaseline({*growth.simulated, Origin::Laboratory, {}});
            adopt(std::move(next), Origin::Laboratory, {});
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
    m_follower.run(
        u"Reading"_s,
        [path](Progress& progress) -> Result<AnalyzedTrace> {
            Result<Trace> read = readTrace(path.toStdString(), progress);
            if (!read.ok())  // it is read when it has grown
                return Error::cancelled();
            return analyzed(std::move(read).value(), progress);
        },
        [this, path](Result<AnalyzedTrace> read) {
            if (!read.ok())
                return fail(read.failure());
            if (!following())
                return;
            AnalyzedTrace next = std::move(read).value();
            next.title = m_followTitle;
            next.live = true;
            m_followPath = path;
            adopt(std::move(next), Origin::Recording, {});
        });
}

void Document::cancel()
{
    m_files.cancel();
    m_saver.cancel();
    m_simulator.cancel();
    m_gpuRuns.cancel();
}

void Document::adopt(AnalyzedTrace next, Origin origin, const QString& path, Look look)
{
    if (m_places != nullptr && m_current.trace && m_places->makeRoom(origin, path))
        beginAfresh();
    const bool fromFile = origin == Origin::File;
    const bool recorded = fromFile && m_origin == Origin::Recording && path == m_followPath;
    const bool another = recorded ? false : fromFile || origin != m_origin;
    const bool wholeInSight = m_view.target() == m_view.limits();
    std::shared_ptr<Place> replaced;
    if (origin == Origin::Laboratory && isOpened())
        replaced = std::make_shared<Place>(place());
    m_selection.setEvent({});
    if (fromFile || m_origin != origin)
        m_selection.setRange({});
    // What was made of one trace says nothing of another; runs of the laboratory follow each other.
    const bool drops = !m_dirty && origin != m_origin;
    m_current = std::move(next);
    m_judgement.reset();
    m_origin = origin;
    m_path = path;
    if (another)
        m_line = m_request;
    const std::string presetKey = origin == Origin::Laboratory ? m_laboratory.state().presetKey : std::string();
    const bool afresh = another || presetKey != m_presetKey;
    m_presetKey = presetKey;
    const QString notesBefore = m_notes;
    const TraceMetadata& metadata = m_current.trace->metadata();
    if (fromFile) {
        m_savedNotes = QString::fromStdString(metadata.notes);
        m_savedBookmarks = m_current.bookmarks.value_or(propertyText(metadata, kBookmarksProperty));
    } else if (drops) {
        m_savedNotes.clear();
        m_savedBookmarks.clear();
    }
    if ((fromFile && !(m_keepNotes && m_dirty)) || drops) {
        m_notes = m_savedNotes;
        m_bookmarks = m_savedBookmarks;
        setDirty(false);
    }
    m_folding = propertyText(metadata, kFoldingProperty);
    if (another && isOpened()) {
        m_replaced.reset();
        for (const std::weak_ptr<Loop>& loop : std::exchange(m_loops, {}))
            if (const std::shared_ptr<Loop> kept = loop.lock())
                *kept = {};
        dropBaseline();
    }
    // The timeline answers with the limits of this trace for m_view, which firstLook() needs.
    emit traceChanged();
    if (m_notes != notesBefore)
        emit notesChanged();
    // A range that was zoomed into stays in sight while its recording grows.
    if (look == Look::Afresh && (afresh || (recorded && wholeInSight)))
        m_view.restart(firstLook());
    if (replaced)
        keepReplaced(std::move(replaced));
}

void Document::beginAfresh()
{
    m_origin = Origin::Nothing;
    m_path.clear();
    m_presetKey.clear();
    const bool hadNotes = !m_notes.isEmpty();
    m_notes.clear();
    m_bookmarks.clear();
    m_savedNotes.clear();
    m_savedBookmarks.clear();
    setDirty(false);
    dropBaseline();
    if (hadNotes)
        emit notesChanged();
}

Interval Document::firstLook() const
{
    const Interval whole = m_view.limits();
    return m_origin == Origin::File ? overlane::firstLook(m_current, whole) : whole;
}

// What is again as the file has it needs no saving: a mark that was undone, a word that was typed and deleted.
void Document::setDirty(bool dirty)
{
    dirty = dirty && (m_notes != m_savedNotes || m_bookmarks != m_savedBookmarks);
    if (dirty == m_dirty)
        return;
    m_dirty = dirty;
    emit dirtyChanged(dirty);
}

void Document::fail(const Error& error)
{
    if (!error.isCancelled())
        emit failed(QString::fromStdString(error.message));
}

}  // namespace overlane
