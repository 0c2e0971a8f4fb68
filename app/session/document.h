// Document: what is shown: the trace, its analysis, where it came from, the notes on it, and beside
// them the owners of the visible range, the selection and the laboratory's settings.
//
// Lives on the GUI thread. Reading, writing, simulating, measuring and analysing happen on workers; a
// request that fails leaves everything as it was and is told through failed(). Panels know the document and
// never each other. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "app/session/analyzed_trace.h"
#include "app/session/background_worker.h"
#include "app/session/gpu_runs.h"
#include "app/session/insight_source.h"
#include "app/session/laboratory.h"
#include "app/timeline/selection.h"
#include "app/timeline/view_range.h"
#include "core/base/result.h"
#include "core/judgement/judgement.h"

class QUndoCommand;

namespace overlane
{

class Document : public QObject
{
    Q_OBJECT

public:
    enum class Origin : std::uint8_t { Nothing, Laboratory, File, Recording };
    enum class Engine : std::uint8_t { Simulated, Gpu };
    // A trace beside the shown one, with what shows it in its place.
    struct Other : AnalyzedTrace {
        Origin origin = Origin::Nothing;
        QString path;
    };

    // A trace that is open but not shown: with its notes, its selection, its ranges, its baseline and what undo
    // returns to.
    struct Aside;
    // Keeps traces that make room for another one. Not owned.
    class Places
    {
    public:
        virtual ~Places() = default;
        // Whether an opened trace stays open where a run comes, so that none of its notes is lost.
        virtual bool keepsOpened() const = 0;
        // Before a trace is shown: it may set the shown one aside, or bring back another. True where what comes is
        // none of those after the shown one.
        virtual bool makeRoom(Origin coming, const QString& path) = 0;
    };

    explicit Document(QObject* parent = nullptr);

    const std::shared_ptr<const Trace>& trace() const { return m_current.trace; }
    const AnalyzedTrace& current() const { return m_current; }
    // The run that "Keep as A" froze; without a trace where there is none.
    const Other& baseline() const { return m_baseline; }
    // What is shown, as the other one of what takes its place.
    Other shown() const { return {m_current, m_origin, m_path}; }
    Origin origin() const { return m_origin; }
    QString path() const { return m_path; }
    QString title() const { return m_current.title; }
    // Whether the trace shown is a whole run of the laboratory's present settings on a GPU.
    bool measuredAsSet() const;
    // Whether the shown file is a laboratory run whose settings the laboratory took over and still has.
    bool laboratoryMatchesFile() const;

    // The selected range, else the whole trace.
    Interval shownRange() const;
    // Whether what is shown is kept from settings that change: a file, or what a recording wrote so far.
    // A run of the laboratory takes its place only where it is asked for, and undo returns to it.
    bool isOpened() const { return m_origin == Origin::File || m_origin == Origin::Recording; }
    // Another number where another trace is shown: a file, a recording, a run in the place of one of them.
    // The runs of the laboratory after each other are one, and so are a recording and its file.
    std::uint64_t line() const { return m_line; }
    // The line of a file that is being read, else line().
    std::uint64_t comingLine() const { return m_files.busy() ? m_openRequest : m_line; }

    // What the trace says of the selected range, else of its active one, without the findings and devices, which
    // insights() has. Made once per trace and range; nullptr without a trace.
    const Judgement* judgement() const;
    // Its range. Empty without a trace.
    Interval judgedRange() const;
    // Of the shown range; empty without a trace.
    Summary summary() const;

    // What costs time in the shown range; follows it in the background.
    InsightSource* insights() { return &m_insights; }

    ViewRange* view() { return &m_view; }
    Selection* selection() { return &m_selection; }
    Laboratory* laboratory() { return &m_laboratory; }

    // What a person made: the notes, and the bookmarks as Bookmarks::toText().
    QString notes() const { return m_notes; }
    void setNotes(const QString& notes);
    // Not by typing: told through notesChanged().
    void replaceNotes(const QString& notes);
    QString bookmarks() const { return m_bookmarks; }
    void setBookmarks(const QString& bookmarks);
    // Whether there are notes or bookmarks that no file holds.
    bool dirty() const { return m_dirty; }
    // The person wants them no more.
    void giveUpNotes() { setDirty(false); }
    // As TimelineView::folding(): saved with the trace, but no reason to ask whether it is.
    QString folding() const { return m_folding; }
    void setFolding(const QString& folding);
    // Asked before a run takes the place of a file with unsaved notes: calls what it is given once it may.
    using Guard = std::function<void(std::function<void()>)>;
    void setGuard(Guard guard) { m_guard = std::move(guard); }

    void setPlaces(Places* places) { m_places = places; }
    // Takes all of the shown trace; it stays in sight until another is brought back or comes.
    std::shared_ptr<Aside> setAside();
    void bringBack(const Aside& aside);
    static Other traceOf(const Aside& aside);

    void open(const QString& path);
    // The trace whose beginning is shown, now in a file: notes and bookmarks made meanwhile stay, unsaved.
    void openWithNotes(const QString& path);
    // A trace that is there already, in place of the one shown.
    void show(AnalyzedTrace next, Origin origin, const QString& path);
    void save(const QString& path);
    // Simulates the laboratory's settings; newer requests replace older ones that wait.
    void simulate();
    // Changes the laboratory's settings and simulates them. Where unsaved notes are in the way and the person
    // cancels, neither.
    void simulateWith(const std::function<void()>& change);
    // Takes another of the trace's loops for the steps, with the analysis by these; undo takes the ones before.
    void takeSteps(std::shared_ptr<const Analysis> byLoop, std::size_t level);
    // Whether the command is of the undo stack and puts another trace in the place of the one shown.
    static bool replacesTrace(const QUndoCommand* command);
    // Which engine the laboratory's settings run on; with the GPU, or while a trace is open, changing one starts
    // no run.
    Engine engine() const { return m_engine; }
    void setEngine(Engine engine);
    // A person's choice: `gpu` is the number of the one to run on, or nothing for the simulation.
    void chooseEngine(std::optional<int> gpu);
    // Runs the laboratory's settings on the chosen engine.
    void run();
    // Simulates them, then runs them on the GPU: A is the simulated run, B the measured one.
    void runOnBoth();
    void setBaseline(const Other& kept);
    void keepAsBaseline() { setBaseline(shown()); }
    void dropBaseline() { setBaseline({}); }
    // From now on follow() shows what a recording has written so far, until another trace is asked for.
    void beginFollowing(const QString& title);
    void follow(const QString& path);
    // The file of the recording that is followed, or was last.
    QString recordingPath() const { return m_followPath; }
    bool following() const { return m_followRequest != 0 && m_followRequest == m_request; }

    // Reading what a recording has written so far does not count.
    bool busy() const { return m_simulator.busy() || m_files.busy() || m_saver.busy() || m_gpuRuns.busy(); }
    void cancel();
    BackgroundWorker* files() { return &m_files; }
    BackgroundWorker* saver() { return &m_saver; }
    BackgroundWorker* simulator() { return &m_simulator; }
    GpuRuns* gpuRuns() { return &m_gpuRuns; }

signals:
    void traceChanged();  // trace, analysis, title and origin
    void titleChanged();  // of the same trace
    void stepsChanged();  // of the same trace, after traceChanged()
    void baselineChanged();
    void engineChanged();
    void engineChosen();  // by a person
    void notesChanged();  // and bookmarks: from a file, not by setNotes()
    void madeByHand();    // notes, bookmarks or folding
    void dirtyChanged(bool dirty);
    void opened(const QString& path);
    void saved(const QString& path);
    void failed(const QString& sentence);
    void remarked(const QString& sentences);  // on a run that is shown all the same
    void idle();                              // nothing runs any more

private:
    // What undo returns to: the trace with what a person made of it and how it was looked at.
    struct Place {
        AnalyzedTrace trace;
        Other baseline;
        Origin origin = Origin::Nothing;
        QString path;
        QString notes;
        QString bookmarks;
        QString folding;
        QString savedNotes;
        QString savedBookmarks;
        std::uint64_t line = 0;
        std::string presetKey;
        EventIndex event;
        std::optional<IdleGapAt> gap;
        std::optional<Interval> range;
        Interval visible;
    };
    // The trace by the steps of one of its loops.
    struct Loop {
        std::shared_ptr<const Analysis> analysis;
        std::optional<std::size_t> level;
    };
    class Replacement;
    class StepsTaken;
    Place place() const;
    // From now on undo returns to it.
    void keepReplaced(std::shared_ptr<Place> replaced);
    void goTo(const Place& place);
    void showLoop(const Loop& loop);

    enum class Look : std::uint8_t { Afresh, AsBefore };  // what of the trace is in sight
    void adopt(AnalyzedTrace next, Origin origin, const QString& path, Look look = Look::Afresh);
    // Nothing of the shown trace goes on in the next one.
    void beginAfresh();
    // What of a trace is shown first: of a file as first_look.h says, of anything else the whole.
    Interval firstLook() const;
    void followSettings();
    void takeSettings(const QString& title);
    void read(const QString& path, bool keepNotes);
    void setDirty(bool dirty);
    void takeSaved(const MadeByHand& shown, const MadeByHand& inFile);
    // Whether what was asked for has to wait for the guard.
    bool mustAsk(std::function<void()> goOn);
    void fail(const Error& error);
    void showMeasured(const GpuAnswer& answer);
    void showRunning(const GpuGrowth& growth);

    AnalyzedTrace m_current;
    mutable std::shared_ptr<const Judgement> m_judgement;  // of m_current and the selection; null until asked for
    Other m_baseline;
    Origin m_origin = Origin::Nothing;
    QString m_path;
    QString m_notes;
    QString m_bookmarks;
    QString m_folding;
    QString m_savedNotes;  // as the file has them
    QString m_savedBookmarks;
    bool m_dirty = false;
    bool m_keepNotes = false;  // of what is adopted
    Guard m_guard;
    Places* m_places = nullptr;
    std::uint64_t m_request = 0;      // the newest wish for another trace
    std::uint64_t m_openRequest = 0;  // the newest trace that no simulation asked for before it may replace
    std::uint64_t m_followRequest = 0;
    std::uint64_t m_line = 0;
    std::string m_presetKey;                   // that the shown run of the laboratory began with
    std::shared_ptr<Place> m_replaced;         // the opened trace that a run took the place of, or that run
    std::vector<std::weak_ptr<Loop>> m_loops;  // of undo, which lets go of them when another file is opened
    std::uint64_t m_runRequest = 0;            // of the run on the GPU that is under way
    QString m_followTitle;
    QString m_followPath;
    Engine m_engine = Engine::Simulated;
    bool m_simulationDropped = false;
    bool m_takingSettings = false;  // the laboratory changes because a file was opened, not by hand

    ViewRange m_view;
    Selection m_selection;
    Laboratory m_laboratory;
    BackgroundWorker m_files;  // opens
    BackgroundWorker m_saver;  // saves; opening another file must not stop it
    BackgroundWorker m_simulator;
    BackgroundWorker m_follower;  // reads what a recording or a run on a GPU has written so far
    GpuRuns m_gpuRuns;
    InsightSource m_insights;
};

}  // namespace overlane
