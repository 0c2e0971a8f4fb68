#include "app/lessons/exercise_card.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/lessons/lesson_session.h"
#include "app/lessons/prose_label.h"
#include "app/session/laboratory_rules.h"
#include "app/theme/palette.h"
#include "app/widgets/setting_row.h"
#include "app/widgets/text.h"
#include "core/runs/run_metrics.h"

namespace overlane
{

namespace
{

using Look = ProseLabel::Look;

const LessonExercise& exerciseOf(const LessonSession& session, int place)
{
    return session.lesson()->exercises[static_cast<std::size_t>(place)];
}

// "copy_call: ...", a line for each figure that a goal speaks of.
QString explainedFigures(const Expression& goal)
{
    QStringList lines;
    for (const FigureName& figure : goal.figures())
        if (const RunMetric* metric = findRunMetric(figure.figure))
            lines << u"<b>%1</b>: %2"_s.arg(text(metric->key), text(metric->description).toHtmlEscaped());
    lines.removeDuplicates();
    return lines.join(u"<br>"_s);
}

}  // namespace

ExerciseCard::ExerciseCard(LessonSession* session, int place, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_place(place),
      m_status(new ProseLabel(Look::Strong, this)),
      m_figures(new ProseLabel(Look::Muted, this)),
      m_run(new QPushButton(u"Run on the GPU"_s, this))
{
    const LessonExercise& exercise = exerciseOf(*session, place);
    setObjectName(u"exercise%1"_s.arg(place));
    setProperty("card", true);
    m_start = {exercise.start, {}, exercise.device};
    m_laboratory.takeOver(m_start, u"Start of the exercise"_s);
    m_start = m_laboratory.state();
    m_laboratory.undoStack()->clear();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    auto* head = new ProseLabel(Look::Heading, this);
    head->setPlain(u"Exercise %1"_s.arg(place + 1));
    auto* task = new ProseLabel(Look::Body, this);
    task->setMarkdown(text(exercise.task));
    auto* goal = new ProseLabel(Look::Body, this);
    goal->setObjectName("exerciseGoal");
    goal->setMarkdown(u"Goal: `%1`"_s.arg(text(exercise.goal.text())));
    goal->setToolTip(explainedFigures(exercise.goal));
    m_status->setObjectName("exerciseStatus");
    m_status->setTextFormat(Qt::RichText);
    m_figures->setObjectName("exerciseFigures");
    for (ProseLabel* label : {head, task, goal})
        column->addWidget(label);
    addKnobs();
    column->addWidget(m_status);
    column->addWidget(m_figures);
    addButtons();

    connect(&m_laboratory, &Laboratory::changed, this, &ExerciseCard::changed);
    connect(session, &LessonSession::exerciseTried, this, [this](int tried) {
        if (tried == m_place)
            refreshStatus();
    });
    refreshKnobs();
    refreshStatus();
}

void ExerciseCard::addKnobs()
{
    auto* body = new QWidget(this);
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(0, 4, 0, 4);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    for (const std::string& key : exerciseOf(*m_session, m_place).knobs) {
        auto* row = new SettingRow(*findSetting(key), grid, grid->rowCount(), body);
        m_rows.push_back(row);
        connect(row, &SettingRow::edited, this, [this, row](double value) { m_laboratory.set(row->setting(), value); });
        connect(row, &SettingRow::gestureBegan, &m_laboratory, &Laboratory::beginGesture);
        connect(row, &SettingRow::gestureEnded, &m_laboratory, &Laboratory::endGesture);
    }
    layout()->addWidget(body);
    QAction* undo = m_laboratory.undoStack()->createUndoAction(this);
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_laboratory.undoStack()->createRedoAction(this);
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (QAction* action : {undo, redo}) {
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
    }
}

void ExerciseCard::addButtons()
{
    const LessonExercise& exercise = exerciseOf(*m_session, m_place);
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    const auto button = [&](const QString& name, const QString& label, const QString& tip) {
        auto* made = new QPushButton(label, this);
        made->setObjectName(name);
        made->setToolTip(tip);
        line->addWidget(made);
        return made;
    };
    m_run->setObjectName("exerciseRun");
    m_run->setVisible(m_session->measures());
    line->addWidget(m_run);
    connect(m_run, &QPushButton::clicked, this, &ExerciseCard::begin);
    auto* start = button("exerciseStart", u"Show the start"_s, u"Back to the settings it starts from"_s);
    connect(start, &QPushButton::clicked, this, [this] {
        m_laboratory.takeOver(m_start, u"Start of the exercise"_s);
        begin();
    });
    if (!exercise.hint.empty()) {
        auto* hint = new ProseLabel(Look::Body, this);
        hint->setObjectName("exerciseHint");
        hint->setMarkdown(text(exercise.hint));
        hint->hide();
        auto* show = button("exerciseShowHint", u"Hint"_s, u"A hint, not the solution"_s);
        connect(show, &QPushButton::clicked, hint, [hint] { hint->setVisible(hint->isHidden()); });
        layout()->addWidget(hint);
    }
    auto* open = button("exerciseOpen", u"Open in the laboratory"_s,
                        u"Take these settings to the laboratory, with everything the window shows of them; what is "
                        "shown there now is kept as A, and undo leads back"_s);
    connect(open, &QPushButton::clicked, this, [this] {
        emit laboratoryRequested(m_laboratory.state(),
                                 u"Exercise of \u201c%1\u201d"_s.arg(text(m_session->lesson()->title)));
    });
    line->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->addLayout(line);
}

void ExerciseCard::setDiscreet(bool discreet)
{
    if (discreet == m_discreet)
        return;
    m_discreet = discreet;
    if (discreet) {
        m_own = m_laboratory.state();
        put(m_start);
    } else {
        put(m_own);
        if (m_tried && !m_session->measures())
            begin();  // the trial is of other settings
    }
    m_tried = false;
    refreshStatus();
}

// Runs nothing, and is nothing to undo.
void ExerciseCard::put(const Laboratory::State& state)
{
    {
        const QSignalBlocker quiet(&m_laboratory);
        m_laboratory.takeOver(state, u"Start of the exercise"_s);
        m_laboratory.undoStack()->clear();
    }
    refreshKnobs();
}

void ExerciseCard::begin()
{
    m_tried = true;
    emit chosen(m_place);
    m_session->tryExercise(m_place, m_laboratory.scenario());
}

void ExerciseCard::changed()
{
    refreshKnobs();
    if (m_session->measures())
        emit chosen(m_place);
    else
        begin();
}

void ExerciseCard::refreshKnobs()
{
    const Scenario& scenario = m_laboratory.scenario();
    for (SettingRow* row : m_rows)
        row->show(row->setting().get(scenario), row->setting().get(m_start.scenario),
                  m_session->measures() ? whyNoEffectOnGpu(scenario, row->setting().key)
                                        : whyNoEffect(scenario, m_laboratory.device(), row->setting().key));
}

void ExerciseCard::refreshStatus()
{
    const Palette& colors = Palette::current();
    const auto line = [](const QColor& color, const QString& words) {
        return u"<span style='color:%1'>%2</span>"_s.arg(color.name(), words.toHtmlEscaped());
    };
    const bool shown = !m_discreet || m_tried;
    const std::optional<ExerciseTrial> trial = shown ? m_session->trial(m_place) : std::nullopt;
    QString words;
    if (trial && !trial->problem.isEmpty())
        words = line(colors.warning, trial->problem);
    else if (trial && trial->reached)
        words = line(colors.good, u"\u2713 Solved: these settings reach the goal."_s);
    else if (m_session->solved(m_place) && !m_discreet)
        words = line(colors.good, trial ? u"\u2713 Solved before; these settings do not reach the goal."_s
                                        : u"\u2713 Solved before."_s);
    else if (trial)
        words = line(colors.mutedText, u"Not reached yet."_s);
    m_status->setText(words);
    m_status->setVisible(!words.isEmpty());
    m_figures->setPlain(trial ? u"Now: %1"_s.arg(trial->figures.join(u" \u00b7 "_s)) : QString());
    m_figures->setVisible(trial && !trial->figures.isEmpty());
}

void ExerciseCard::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshStatus();
}

QString ExerciseCard::status() const
{
    return m_status->isHidden() ? QString() : m_status->text();
}

}  // namespace overlane
