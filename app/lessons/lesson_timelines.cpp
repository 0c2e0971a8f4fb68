#include "app/lessons/lesson_timelines.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/lessons/difference_strip.h"
#include "app/lessons/lesson_session.h"
#include "app/lessons/magnified.h"
#include "app/lessons/prose_label.h"
#include "app/theme/palette.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/second_lanes.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_badges.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

using Look = ProseLabel::Look;

// Larger than that a third of the lanes' width would be names; below it a room sees no difference.
constexpr double kLargestLanes = 1.8;
constexpr double kSmallestLanes = 1.2;

std::shared_ptr<const Trace> traceOf(const JudgedRunPointer& run)
{
    return {run, &run->result.trace};
}
std::shared_ptr<const Analysis> analysisOf(const JudgedRunPointer& run)
{
    return {run, &run->analysis};
}

// How many copies are exposed and why, beside the names of the engines.
TrackBadges badgesOf(const JudgedRunPointer& run)
{
    Judgement judgement;
    judgement.range = run->range();
    judgement.devices = judgeDevices(run->analysis, run->judgement.summary);
    return trackBadges(judgement, run->result.trace, Palette::current());
}

}  // namespace

LessonTimelines::LessonTimelines(QWidget* parent)
    : QWidget(parent),
      m_head(new QWidget(this)),
      m_sentence(new ProseLabel(Look::Title, m_head)),
      m_detail(new ProseLabel(Look::Body, m_head)),
      m_pickers(new QWidget(m_head)),
      m_upperPicker(new QComboBox(m_pickers)),
      m_lowerPicker(new QComboBox(m_pickers)),
      m_strip(new DifferenceStrip(&m_view, this)),
      m_timeline(new TimelineView(&m_view, &m_selection)),
      m_magnified(new Magnified(m_timeline, this)),
      m_empty(new ProseLabel(Look::Heading, this)),
      m_stack(new QStackedWidget(this)),
      m_shown(new QWidget)
{
    setObjectName("lessonTimelines");
    m_sentence->setObjectName("lessonDifference");
    m_detail->setObjectName("lessonDetail");
    makeHead();
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(40);
    // On a screen too low for the lanes of two runs they are scrolled, and the window stays on it.
    auto* scroll = new QScrollArea(m_stack);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_shown);
    auto* inner = new QVBoxLayout(m_shown);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);
    inner->addWidget(m_head);
    inner->addWidget(m_strip);
    inner->addWidget(m_magnified, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(scroll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    // Closing a run would leave a lesson without its point.
    for (SecondLanes* second : {m_timeline->above(), m_timeline->below()})
        second->findChild<QToolButton*>("secondClose")->hide();
    connect(m_timeline->below(), &SecondLanes::meetRequested, this, [this](MeetAt at, int step) {
        SecondTrace second = m_timeline->below()->second();
        const auto& a = m_run->runs()[m_upper]->steps.steps;
        const auto& b = m_run->runs()[m_lower]->steps.steps;
        second.meetAt = at;
        second.step = step;
        const auto place = static_cast<std::size_t>(step);
        second.offsetNs = at == MeetAt::Step && place < a.size() && place < b.size()
                              ? b[place].interval.startNs - a[place].interval.startNs
                              : 0;
        m_timeline->below()->setSecond(second);
    });
}

LessonTimelines::~LessonTimelines() = default;

void LessonTimelines::makeHead()
{
    auto* row = new QHBoxLayout(m_pickers);
    row->setContentsMargins(0, 0, 0, 0);
    auto* above = new QLabel(u"Above"_s, m_pickers);
    auto* below = new QLabel(u"below"_s, m_pickers);
    m_upperPicker->setObjectName("upperRun");
    m_upperPicker->setAccessibleName(u"Run shown above"_s);
    m_lowerPicker->setObjectName("lowerRun");
    m_lowerPicker->setAccessibleName(u"Run shown below"_s);
    for (QWidget* widget : std::initializer_list<QWidget*>{above, m_upperPicker, below, m_lowerPicker})
        row->addWidget(widget);
    row->addStretch(1);
    for (QComboBox* picker : {m_upperPicker, m_lowerPicker})
        connect(picker, &QComboBox::activated, this, [this] {
            choose(static_cast<std::size_t>(m_upperPicker->currentIndex()),
                   static_cast<std::size_t>(m_lowerPicker->currentIndex()));
        });
    auto* column = new QVBoxLayout(m_head);
    column->setContentsMargins(12, 8, 12, 6);
    column->setSpacing(3);
    column->addWidget(m_sentence);
    column->addWidget(m_detail);
    column->addWidget(m_pickers);
}

void LessonTimelines::setRun(std::shared_ptr<const LessonRun> run, const QString& why)
{
    m_run = std::move(run);
    m_upper = 0;
    m_lower = 1;
    m_empty->setPlain(why);
    if (!m_run) {
        m_stack->setCurrentIndex(0);
        m_timeline->below()->setSecond({});
        m_timeline->setTrace(nullptr);
        m_strip->setDifference({}, {}, {});
        return;
    }
    fillPickers();
    showPair();
}

void LessonTimelines::fillPickers()
{
    const std::vector<LessonScenario>& scenarios = m_run->lesson().scenarios;
    for (QComboBox* picker : {m_upperPicker, m_lowerPicker}) {
        picker->clear();
        for (const LessonScenario& scenario : scenarios)
            picker->addItem(text(scenario.name) + u" \u00b7 "_s + text(scenario.label));
    }
    m_pickers->setVisible(scenarios.size() > 2);
}

void LessonTimelines::choose(std::size_t upper, std::size_t lower)
{
    m_upper = upper;
    m_lower = lower;
    if (m_run)
        showPair();
}

void LessonTimelines::showLesson()
{
    if (m_run)
        showPair();
}

void LessonTimelines::showPair()
{
    const Lesson& lesson = m_run->lesson();
    const JudgedRunPointer& a = m_run->runs()[m_upper];
    const JudgedRunPointer& b = m_run->runs()[m_lower];
    const LessonScenario& scenarioA = lesson.scenarios[m_upper];
    const LessonScenario& scenarioB = lesson.scenarios[m_lower];
    const LessonDifference difference = lessonDifference(*m_run, m_upper, m_lower);
    m_upperPicker->setCurrentIndex(static_cast<int>(m_upper));
    m_lowerPicker->setCurrentIndex(static_cast<int>(m_lower));
    m_sentence->setPlain(difference.sentence);
    QStringList details;
    for (const QString& detail : {difference.detail, difference.settings})
        if (!detail.isEmpty())
            details << detail;
    showDetails(details);
    m_stack->setCurrentIndex(1);

    m_timeline->above()->setSecond({});
    m_timeline->setShownName(text(scenarioA.label));
    m_timeline->setTrace(traceOf(a));
    m_timeline->setAnalysis(analysisOf(a));
    m_timeline->setBadges(badgesOf(a));
    SecondTrace second;
    second.trace = traceOf(b);
    second.badge = text(scenarioB.name);
    second.firstBadge = text(scenarioA.name);
    second.title = text(scenarioB.label);
    second.rest = durationText(b->result.wallNs);
    second.offsetNs = difference.offsetNs;
    second.stepCount = static_cast<int>(std::min(a->steps.steps.size(), b->steps.steps.size()));
    if (difference.steps) {
        second.meetAt = MeetAt::Step;
        for (std::size_t i = 0; i < a->steps.steps.size(); ++i)
            if (a->steps.steps[i].interval.startNs == difference.a.startNs)
                second.step = static_cast<int>(i);
    }
    m_timeline->below()->setSecond(second);
    m_timeline->below()->lanes()->setAnalysis(analysisOf(b));
    m_timeline->below()->lanes()->setBadges(badgesOf(b));
    m_strip->setDifference(difference, text(scenarioA.name), text(scenarioB.name));
    m_view.setRange(difference.shown);
    magnify();
}

void LessonTimelines::showTrial(const ExerciseTrial& trial)
{
    if (!trial.start)
        return;
    m_stack->setCurrentIndex(1);
    m_pickers->hide();
    m_strip->setDifference({}, {}, {});
    m_timeline->below()->setSecond({});
    const JudgedRunPointer& shown = trial.run ? trial.run : trial.start;
    const bool same = shown == trial.start;
    m_sentence->setPlain(same            ? u"Where the exercise starts"_s
                         : trial.reached ? u"Solved"_s
                                         : u"Your settings below, the start above"_s);
    showDetails({trial.problem.isEmpty() ? trial.figures.join(u" \u00b7 "_s) : trial.problem});
    m_timeline->setTrace(traceOf(shown));
    m_timeline->setAnalysis(analysisOf(shown));
    m_timeline->setBadges(badgesOf(shown));
    m_timeline->setShownName(same ? u"start of the exercise"_s : u"your settings"_s);
    SecondTrace start;
    if (!same) {
        start.trace = traceOf(trial.start);
        start.badge = u"A"_s;
        start.firstBadge = u"B"_s;
        start.title = u"start of the exercise"_s;
        start.rest = durationText(trial.start->result.wallNs);
        start.firstRest = text(speedText(lessonSpeed(*trial.start, *shown)));
    }
    m_timeline->above()->setSecond(start);
    magnify();
}

// On a wall every line is a lane less.
void LessonTimelines::showDetails(const QStringList& details)
{
    m_details = details;
    m_detail->setPlain(details.join(m_scale > 1 ? u" \u00b7 "_s : u"\n"_s));
}

void LessonTimelines::setScale(double scale)
{
    m_scale = scale;
    ProseLabel::scaleAll(m_head, scale);
    ProseLabel::scaleAll(m_pickers, std::min(scale, kSmallestLanes));
    m_empty->setScale(scale);
    m_strip->setScale(scale);
    showDetails(m_details);
    magnify();
}

// As large as every lane of both runs has room for.
void LessonTimelines::magnify()
{
    double factor = 1;
    if (m_scale > 1 && m_timeline->trace()) {
        layout()->activate();
        m_shown->layout()->activate();
        int needed = kOverviewPx + kRulerPx + kLegendPx + m_timeline->lanes()->trackLayout().heightPx;
        for (SecondLanes* second : {m_timeline->above(), m_timeline->below()})
            if (second->shown())
                needed += 2 * (kHeaderRowPx + kGroupGapPx) + second->lanes()->trackLayout().heightPx;
        factor = std::clamp(std::floor(20.0 * m_magnified->height() / needed) / 20, kSmallestLanes,
                            std::min(m_scale, kLargestLanes));
    }
    m_magnified->setFactor(factor);
    m_strip->setMagnified(factor);
}

double LessonTimelines::lanesFactor() const
{
    return m_magnified->factor();
}

void LessonTimelines::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    magnify();
}

QString LessonTimelines::sentence() const
{
    return m_sentence->text();
}

}  // namespace overlane
