// LessonSession: the lesson that is open: what was predicted, its runs, its exercises as they are tried.
//
// Lives on the GUI thread; runs on workers, newest wish first. Owns the runs, which are shared and
// immutable. Touches neither the document nor the laboratory: a lesson has runs of its own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>

#include "app/lessons/lesson_shelf.h"
#include "app/session/background_worker.h"
#include "core/lessons/lesson_run.h"

namespace overlane
{

class LessonProgress;

// A learner's settings of an exercise, run and judged.
struct ExerciseTrial {
    int place = 0;
    JudgedRunPointer start;
    JudgedRunPointer run;  // null where the settings cannot run
    bool reached = false;
    QString problem;      // why it cannot be told; else empty
    QStringList figures;  // what the goal asks of, with its values
};

class LessonSession : public QObject
{
    Q_OBJECT

public:
    // Neither is taken over; both must outlive the session.
    explicit LessonSession(LessonProgress* progress, QObject* parent = nullptr);
    ~LessonSession() override;

    // Drops the runs of the lesson before; what was predicted earlier comes back.
    void open(const ShelvedLesson& lesson);
    void close() { open({}); }
    const ShelvedLesson& shelved() const { return m_shelved; }
    const Lesson* lesson() const { return m_shelved.lesson; }
    // On what it runs from now on, drops the runs.
    void setEngine(LessonEngine engine, bool measures);
    bool measures() const { return m_measures; }

    // By place of the question; NaN where it was skipped, nothing where it is still open.
    const std::vector<std::optional<double>>& predicted() const { return m_predicted; }
    void predict(std::size_t place, std::optional<double> value);
    // Every question that is still open.
    void skip();
    bool mayRun() const;
    // Does nothing before mayRun().
    void run();
    bool busy() const { return m_worker.busy(); }
    void cancel() { m_worker.cancel(); }
    bool trying() const { return m_trying.busy(); }
    double progressFraction() const { return m_fraction; }
    // Null until it ran.
    const std::shared_ptr<const LessonRun>& result() const { return m_result; }

    // The scenario it starts from where nothing was tried yet.
    void tryExercise(int place, const Scenario& scenario);
    const std::optional<ExerciseTrial>& trial(int place) const { return m_trials[static_cast<std::size_t>(place)]; }
    bool solved(int place) const;
    // Forgets everything about the open lesson.
    void startOver();

signals:
    void opened();
    void predictionsChanged();
    void resultChanged();  // the runs are there, or gone
    void busyChanged();
    void exerciseTried(int place);
    void failed(const QString& sentence);

private:
    void keep();

    LessonProgress* m_progress;
    ShelvedLesson m_shelved;
    LessonEngine m_engine;
    bool m_measures = false;
    std::vector<std::optional<double>> m_predicted;
    std::shared_ptr<const LessonRun> m_result;
    std::vector<std::optional<ExerciseTrial>> m_trials;
    double m_fraction = 0;
    BackgroundWorker m_worker;
    BackgroundWorker m_trying;
};

}  // namespace overlane
