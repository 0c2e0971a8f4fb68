// SweepLibrary: the sweeps a person made, the one under way among them.
//
// Lives on the GUI thread; runs one sweep at a time on threads of its own. With a folder every sweep is
// a file in it (core/sweep/sweep_file.h) that grows with each run, so that closing the window loses
// nothing and a sweep that was broken off goes on later; without one nothing is left behind. A sweep goes
// only when somebody says so. Curves of a profile are made anew each time and are no files.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/session/background_worker.h"
#include "core/sweep/sweep.h"
#include "core/sweep/sweep_curves.h"
#include "core/sweep/sweep_runner.h"

namespace overlane
{

struct KeptSweep {
    int id = 0;
    SweepResult result;
    std::optional<CurveSheet> sheet;  // instead of a result
    QString title;
    QString device;  // for people
    QString file;    // empty: none
    std::string_view metric = metric_key::kBatch;
    bool shown = true;

    bool complete() const { return sheet || result.complete(); }
};

class SweepLibrary : public QObject
{
    Q_OBJECT

public:
    explicit SweepLibrary(QString folder, QObject* parent = nullptr);
    ~SweepLibrary() override;

    // Reads what the folder holds; files that are no sweeps stay as they are.
    void load();
    const std::deque<KeptSweep>& sweeps() const { return m_sweeps; }
    const KeptSweep* find(int id) const;

    // Starts a sweep as a new one, or goes on with one; does nothing while one is under way.
    int start(const SweepPlan& plan, const QString& title, std::string_view metric);
    void resume(int id);
    void addCurves(CurveSheet sheet, const QString& device);
    // A file that the command line or another person made; shown, not moved.
    void open(const QString& path);
    void cancel();
    void remove(int id);  // and its files
    void setShown(int id, bool shown);

    bool busy() const { return m_running != 0; }
    int running() const { return m_running; }  // 0: none
    // The trace that was kept of a point; empty where there is none.
    static QString traceFile(const KeptSweep& sweep, std::size_t point);

    // What stands for a GPU in a test.
    void setMeasure(decltype(SweepOptions::measure) measure) { m_options.measure = std::move(measure); }
    void setForce(bool force) { m_options.force = force; }

signals:
    void listChanged();    // sweeps came or went, or are shown otherwise
    void changed(int id);  // a sweep has more runs
    void progressed(double fraction);
    void busyChanged();
    void failed(const QString& sentence);

private:
    struct Arrived {
        std::mutex mutex;
        std::vector<SweepRun> runs;
    };
    KeptSweep* at(int id);
    KeptSweep& add(KeptSweep sweep);
    void run(KeptSweep& sweep);
    void collect();
    void ended(const QString& error);

    QString m_folder;
    std::deque<KeptSweep> m_sweeps;  // oldest first
    int m_nextId = 1;
    int m_running = 0;
    std::shared_ptr<Arrived> m_arrived;
    SweepOptions m_options;
    QTimer m_poll;
    BackgroundWorker m_worker;  // last: its thread ends before what it fills
};

}  // namespace overlane
