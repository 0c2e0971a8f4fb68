#include "app/lessons/lesson_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/lessons/lesson_progress.h"
#include "app/widgets/text.h"
#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{

namespace
{

QString figureName(const FigureName& name)
{
    const RunMetric* metric = findRunMetric(name.figure);
    const Setting* setting = findSetting(name.figure);
    QString label = metric != nullptr ? text(metric->label) : setting != nullptr ? text(setting->label) : QString();
    if (label.isEmpty())
        label = text(name.figure);
    return name.run == "start" ? u"%1 at the start"_s.arg(label) : label;
}

// "overlap 83.1 %", for each figure that the goal names.
QStringList goalFigures(const Expression& goal, const FigureSource& source)
{
    QStringList figures;
    for (const FigureName& name : goal.figures()) {
        const Result<double> value = source(name);
        const Result<FigureKind> kind = findFigure(name.run == kDeviceRun, name.figure);
        const QString shown =
            value.ok() && kind.ok() ? text(figureText(value.value(), kind.value().unit)) : u"unknown"_s;
        figures << u"%1 %2"_s.arg(figureName(name), shown);
    }
    return figures;
}

// `trial` knows its place, and the run at the start where there was one before.
ExerciseTrial tried(ExerciseTrial trial, const LessonRun& run, const LessonExercise& exercise, const Scenario& scenario,
                    const LessonEngine& engine, Progress& progress)
{
    const DeviceProfile& device = *findDeviceProfile(exercise.device);
    if (!trial.start) {
        auto first = engine(exercise.start, device, progress);
        if (!first.ok()) {
            trial.problem = text(first.error());
            return trial;
        }
        trial.start = std::move(first).value();
    }
    // The start is known: it runs once, not with every change.
    const LessonEngine sparing = [&](const Scenario& wanted, const DeviceProfile& on, Progress& told) {
        return wanted == exercise.start ? Result<JudgedRunPointer>(trial.start) : engine(wanted, on, told);
    };
    const ExerciseOutcome outcome = run.tryExercise(exercise, scenario, sparing, progress);
    trial.run = outcome.run;
    // Where nothing was turned nothing was solved.
    trial.reached = outcome.reached && !(scenario == exercise.start);
    trial.problem = text(outcome.problem);
    if (trial.run)
        trial.figures = goalFigures(exercise.goal, exerciseSource(*trial.run, *trial.start));
    return trial;
}

}  // namespace

LessonSession::LessonSession(LessonProgress* progress, QObject* parent)
    : QObject(parent), m_progress(progress), m_engine(simulatedLessonEngine())
{
    connect(&m_worker, &BackgroundWorker::busyChanged, this, [this] {
        m_fraction = 0;
        emit busyChanged();
    });
    connect(&m_worker, &BackgroundWorker::progressed, this, [this](double fraction) {
        m_fraction = fraction;
        emit busyChanged();
    });
}

LessonSession::~LessonSession()
{
    m_worker.cancel();
    m_trying.cancel();
}

void LessonSession::open(const ShelvedLesson& lesson)
{
    m_worker.forget();
    m_trying.forget();
    m_shelved = lesson;
    m_result = nullptr;
    m_predicted.clear();
    m_trials.clear();
    if (m_shelved.lesson != nullptr) {
        m_predicted = m_progress->past(m_shelved.id()).predicted;
        m_predicted.resize(m_shelved.lesson->predictions.size());
        m_trials.resize(m_shelved.lesson->exercises.size());
    }
    emit opened();
}

void LessonSession::setEngine(LessonEngine engine, bool measures)
{
    m_worker.forget();
    m_trying.forget();
    m_engine = std::move(engine);
    m_measures = measures;
    std::fill(m_trials.begin(), m_trials.end(), std::nullopt);
    if (std::exchange(m_result, nullptr))
        emit resultChanged();
}

void LessonSession::predict(std::size_t place, std::optional<double> value)
{
    if (place >= m_predicted.size())
        return;
    m_predicted[place] = value;
    keep();
    emit predictionsChanged();
}

void LessonSession::skip()
{
    for (auto& one : m_predicted)
        if (!one)
            one = std::nan("");
    keep();
    emit predictionsChanged();
}

bool LessonSession::mayRun() const
{
    return m_shelved.lesson != nullptr &&
           std::all_of(m_predicted.begin(), m_predicted.end(), [](const auto& one) { return one.has_value(); });
}

void LessonSession::run()
{
    if (!mayRun())
        return;
    m_worker.run(
        u"Running the lesson"_s,
        [shelved = m_shelved, engine = m_engine](Progress& progress) {
            return LessonRun::run(*shelved.lesson, engine, progress);
        },
        [this](Result<LessonRun> ran) {
            if (!ran.ok()) {
                if (!ran.isCancelled())
                    emit failed(text(ran.error()));
                return;
            }
            m_result = std::make_shared<const LessonRun>(std::move(ran).value());
            keep();
            emit resultChanged();
        });
}

void LessonSession::keep()
{
    if (m_shelved.lesson == nullptr)
        return;
    LessonPast past = m_progress->past(m_shelved.id());
    past.predicted = m_predicted;
    if (m_result) {
        past.ran = true;
        past.right.clear();
        for (std::size_t i = 0; i < m_predicted.size(); ++i)
            if (m_predicted[i] && !std::isnan(*m_predicted[i]) &&
                m_result->isRight(m_shelved.lesson->predictions[i], *m_predicted[i]))
                past.right.insert(static_cast<int>(i));
    }
    for (const auto& trial : m_trials)
        if (trial && trial->reached)
            past.solved.insert(trial->place);
    m_progress->keep(m_shelved.id(), past);
}

void LessonSession::tryExercise(int place, const Scenario& scenario)
{
    if (!m_result)
        return;
    ExerciseTrial known;
    known.place = place;
    if (const auto& before = trial(place))
        known.start = before->start;
    m_trying.run(
        u"Checking the exercise"_s,
        [shelved = m_shelved, run = m_result, engine = m_engine, scenario,
         known](Progress& progress) -> Result<ExerciseTrial> {
            const LessonExercise& exercise = shelved.lesson->exercises[static_cast<std::size_t>(known.place)];
            ExerciseTrial trial = tried(known, *run, exercise, scenario, engine, progress);
            if (progress.cancelled())
                return Error::cancelled();
            return trial;
        },
        [this, place](Result<ExerciseTrial> trial) {
            if (!trial.ok() && trial.isCancelled())
                return;
            if (trial.ok()) {
                const bool reached = trial.value().reached;
                m_trials[static_cast<std::size_t>(place)] = std::move(trial).value();
                if (reached)
                    keep();
            } else {
                emit failed(text(trial.error()));
            }
            emit exerciseTried(place);
        });
}

bool LessonSession::solved(int place) const
{
    return m_progress->past(m_shelved.id()).solved.contains(place);
}

void LessonSession::startOver()
{
    m_progress->forget(m_shelved.id());
    open(ShelvedLesson(m_shelved));
}

}  // namespace overlane
