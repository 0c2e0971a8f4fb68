#include "app/second/second_timelines.h"

#include <algorithm>

#include <QFileInfo>

#include "app/second/compare_panel.h"
#include "app/second/what_if_panel.h"
#include "app/second/what_if_text.h"
#include "app/session/document.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/analysis/verdict.h"
#include "core/io/format.h"

namespace overlane
{

SecondTimelines::SecondTimelines(Document* document, TimelineView* timeline, QTabWidget* tabs, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_timeline(timeline),
      m_tabs(tabs),
      m_whatIf(document),
      m_whatIfPanel(new WhatIfPanel(&m_whatIf, document, tabs)),
      m_compare(document),
      m_comparePanel(new ComparePanel(&m_compare, document, tabs))
{
    m_tabs->insertTab(1, m_whatIfPanel, u"What if"_s);
    m_tabs->setTabToolTip(1, u"What a step would take with changes, predicted from this trace"_s);
    connect(m_whatIfPanel, &WhatIfPanel::helpRequested, this, &SecondTimelines::helpRequested);
    connect(m_whatIfPanel, &WhatIfPanel::saveRequested, this, &SecondTimelines::saveRequested);
    m_comparePanel->hide();
    connect(&m_whatIf, &WhatIfSource::predicted, this, &SecondTimelines::show);
    connect(&m_compare, &CompareSource::changed, this, [this] {
        showCompareTab();
        show();
        lookAtCompared();
    });
    connect(&m_whatIf, &WhatIfSource::failed, this, &SecondTimelines::failed);
    connect(&m_compare, &CompareSource::failed, this, &SecondTimelines::failed);
    connect(&m_compare, &CompareSource::chosen, this, [this] {
        m_comparedAt.reset();
        if (!m_compare.otherIsA())
            openComparison();
    });
    connect(m_comparePanel, &ComparePanel::workRequested, this, &SecondTimelines::showWork);
    connect(m_comparePanel, &ComparePanel::helpRequested, this, &SecondTimelines::helpRequested);
    connect(m_comparePanel, &ComparePanel::openRequested, this, &SecondTimelines::compareRequested);
    connect(m_comparePanel, &ComparePanel::closeRequested, this, &SecondTimelines::closeComparison);
    connect(m_document, &Document::traceChanged, this, [this] {
        m_timeline->setShownName(m_document->title());
        applyWaiting();
        show();
    });
    connect(m_document, &Document::titleChanged, this, [this] { m_timeline->setShownName(m_document->title()); });
    // What was asked for with the file is what is looked at first.
    connect(m_document, &Document::opened, this, [this] {
        if (m_whatIf.choices().any())
            openWhatIf();
        else if (m_compare.active())
            openComparison();
    });
    for (SecondLanes* second : {m_timeline->above(), m_timeline->below()}) {
        connect(second, &SecondLanes::meetRequested, this, [this, second](MeetAt at, int step) {
            second->second().notReal ? meetPredicted(at, step) : meetCompared(at, step);
        });
        connect(second, &SecondLanes::closeRequested, this,
                [this, second] { second->second().notReal ? dropChanges() : closeComparison(); });
        connect(second, &SecondLanes::swapRequested, this, &SecondTimelines::swapRequested);
        connect(second->selection(), &Selection::eventChanged, this,
                [this, second](EventIndex event) { showOther(second, event); });
    }
}

SecondTimelines::~SecondTimelines() = default;

bool SecondTimelines::busy() const
{
    return m_whatIf.busy() || m_compare.busy() || m_analyzer.busy() || m_saver.busy();
}

void SecondTimelines::openWhatIf()
{
    m_tabs->setCurrentWidget(m_whatIfPanel);
}

bool SecondTimelines::tryChangeFor(RuleId rule)
{
    const std::vector<ChangeKind> kinds = changesOf(rule);
    if (kinds.empty())
        return false;
    openWhatIf();
    WhatIfChoices choices = m_whatIf.choices();
    for (const ChangeKind kind : kinds)
        choices.set(kind, true);
    m_whatIf.setChoices(choices);
    return true;
}

void SecondTimelines::tryChange(const Change& change)
{
    openWhatIf();
    WhatIfChoices choices = m_whatIf.choices();
    add(choices, change);
    m_whatIf.setChoices(choices);
}

Result<void> SecondTimelines::choose(const std::vector<std::string>& changes)
{
    RETURN_IF_ERROR(parsedChoices({}, changes));
    m_waiting = changes;
    if (m_document->trace())
        applyWaiting();
    return {};
}

void SecondTimelines::applyWaiting()
{
    if (m_waiting.empty())
        return;
    openWhatIf();
    Result<WhatIfChoices> choices = parsedChoices(m_whatIf.choices(), m_waiting);
    m_waiting.clear();
    if (choices.ok())
        m_whatIf.setChoices(choices.value());
}

SecondTrace SecondTimelines::predictedSecond() const
{
    const auto& prediction = m_whatIf.prediction();
    SecondTrace second;
    second.trace = prediction->trace;
    second.pyramids = m_whatIf.predictedPyramids();
    second.badge = u"predicted"_s;
    second.firstBadge = m_document->origin() == Document::Origin::Laboratory && m_document->current().gpu.isEmpty()
                            ? u"simulated"_s
                            : u"measured"_s;
    second.title = predictedTitle(*prediction);
    second.rest =
        m_whatIf.report() != nullptr ? predictedRest(*prediction, *m_whatIf.report()) : predictionHeadline(*prediction);
    second.notReal = true;
    const std::vector<Step>& steps = m_document->current().steps.steps;
    const std::vector<std::int64_t>& predictedNs = prediction->stepStartsNs;
    second.stepCount = static_cast<int>(std::min(steps.size(), predictedNs.size()));
    const int firstJudged = m_whatIf.report() != nullptr ? static_cast<int>(m_whatIf.report()->firstStep) : 0;
    // Unless a person chose one, the first judged step in sight: the prediction, which is shorter, may have ended where
    // another one would meet.
    const Interval seen = m_document->view()->range();
    int inSight = firstJudged;
    while (inSight < second.stepCount && steps[static_cast<std::size_t>(inSight)].interval.startNs < seen.startNs)
        ++inSight;
    const bool found =
        inSight < second.stepCount && predictedNs[static_cast<std::size_t>(inSight)] != Prediction::kNoTime;
    second.step = std::clamp(m_step.value_or(found ? inSight : firstJudged), 0, std::max(0, second.stepCount - 1));
    const auto at = static_cast<std::size_t>(second.step);
    if (m_meetAt == MeetAt::Step && second.stepCount > 0 && predictedNs[at] != Prediction::kNoTime) {
        second.meetAt = MeetAt::Step;
        second.offsetNs = predictedNs[at] - steps[at].interval.startNs;
    } else {
        // Without iterations the prediction is of the active range, which may begin long after the trace.
        const bool ofRange = prediction->ofRange && !predictedNs.empty() && predictedNs[0] != Prediction::kNoTime;
        second.meetAt = MeetAt::Start;
        second.offsetNs = ofRange ? predictedNs[0] - activeRange(*m_document->current().analysis, steps).range.startNs
                                  : second.trace->span().startNs - m_document->trace()->span().startNs;
    }
    return second;
}

SecondLanes* SecondTimelines::comparedLanes() const
{
    const auto& prediction = m_whatIf.prediction();
    if (m_compare.otherIsA())
        return m_timeline->above();
    return prediction && prediction->trace ? nullptr : m_timeline->below();
}

void SecondTimelines::show()
{
    const auto& prediction = m_whatIf.prediction();
    SecondTrace above;
    SecondTrace below;
    if (prediction && prediction->trace && m_document->trace())
        below = predictedSecond();
    if (m_compare.active() && m_document->trace() && comparedLanes() != nullptr)
        (m_compare.otherIsA() ? above : below) = comparedSecond();
    m_timeline->above()->setSecond(above);
    m_timeline->below()->setSecond(below);
}

void SecondTimelines::meetPredicted(MeetAt at, int step)
{
    m_meetAt = at;
    m_step = step;
    show();
}

void SecondTimelines::meetCompared(MeetAt at, int step)
{
    m_comparedAt = at;
    AlignmentWish wish;
    if (at == MeetAt::Step) {
        wish.by = AlignBy::Step;
        wish.step = static_cast<std::size_t>(step);
    } else if (at == MeetAt::FirstKernel) {
        wish.by = AlignBy::FirstKernel;
    } else {
        return show();  // only the picture moves
    }
    m_compare.setWish(wish);
}

SecondTrace SecondTimelines::comparedSecond() const
{
    SecondTrace second;
    const auto& answer = m_compare.answer();
    const AnalyzedTrace& other = m_compare.other();
    const bool otherIsA = m_compare.otherIsA();
    second.trace = other.trace;
    second.pyramids = other.pyramids;
    second.badge = otherIsA ? u"A"_s : u"B"_s;
    second.firstBadge = otherIsA ? u"B"_s : u"A"_s;
    second.title = other.title.isEmpty() ? QString::fromStdString(other.trace->metadata().title) : other.title;
    second.rest = durationText(other.trace->span().lengthNs());
    if (otherIsA)
        second.rest += u" \u00b7 kept"_s;
    if (m_document->current().partial)
        second.firstRest = u"the run's beginning"_s;
    second.canSwap = true;
    second.meetAt = MeetAt::Start;
    second.offsetNs = other.trace->span().startNs - m_document->trace()->span().startNs;
    if (!answer || (otherIsA ? answer->a : answer->b).trace != other.trace || !m_compare.error().isEmpty())
        return second;
    const Comparison& comparison = answer->comparison;
    second.hasKernels = !comparison.devices.empty();
    if (comparison.perStep) {
        const Speed& speed = comparison.speed;
        const QString figure = speed.by == ClaimBy::Means ? u"average step %1"_s : u"median step %1"_s;
        const QString ofA = figure.arg(durationText(speed.aNs));
        QString ofB = figure.arg(durationText(speed.bNs));
        if (speed.by != ClaimBy::Nothing)
            ofB += u", "_s + text(speedText(speed));
        second.rest += u" \u00b7 "_s + (otherIsA ? ofA : ofB);
        second.firstRest = otherIsA ? ofB : ofA;
    }
    const MeetAt at = m_comparedAt.value_or(otherIsA ? MeetAt::Start : MeetAt::Step);
    if (at == MeetAt::Event) {
        second.meetAt = MeetAt::Event;
        second.offsetNs = m_eventOffsetNs;
    } else if (at != MeetAt::Start) {
        second.meetAt = comparison.alignment.by == AlignBy::Step ? MeetAt::Step : MeetAt::FirstKernel;
        second.offsetNs = otherIsA ? -comparison.alignment.offsetNs() : comparison.alignment.offsetNs();
    }
    second.step = answer->step;
    second.stepCount = answer->stepCount;
    return second;
}

void SecondTimelines::showCompareTab()
{
    const int at = m_tabs->indexOf(m_comparePanel);
    if (m_compare.active() && at < 0) {
        m_tabs->insertTab(m_tabs->indexOf(m_whatIfPanel) + 1, m_comparePanel, u"Compare"_s);
    } else if (!m_compare.active() && at >= 0) {
        m_tabs->removeTab(at);
        m_comparePanel->hide();
    }
}

void SecondTimelines::compareWith(const QString& path)
{
    dropChanges();  // a prediction would cover what is asked for now
    m_lookWaits = true;
    m_compare.open(path);
}

void SecondTimelines::compareWith(const Document::Other& other)
{
    dropChanges();
    m_lookWaits = true;
    m_compare.take(other);
}

void SecondTimelines::lookAtCompared()
{
    const SecondLanes* lanes = comparedLanes();
    const auto& answer = m_compare.answer();
    if (!m_lookWaits || lanes == nullptr || m_compare.otherIsA() || !answer || answer->a.trace != m_document->trace() ||
        answer->b.trace != m_compare.other().trace)
        return;
    m_lookWaits = false;
    ViewRange* view = m_document->view();
    const std::int64_t visibleNs = view->range().lengthNs();
    if (view->range().intersected(lanes->spanInFirst()).lengthNs() >= visibleNs / 2)
        return;
    constexpr int kMarginShare = 50;
    const std::int64_t startNs = answer->comparison.alignment.a.anchorNs - visibleNs / kMarginShare;
    view->setRange({startNs, startNs + visibleNs});
}

void SecondTimelines::openComparison()
{
    m_tabs->setCurrentWidget(m_comparePanel);
}

void SecondTimelines::showOther(SecondLanes* lanes, EventIndex event)
{
    const SecondTrace& second = lanes->second();
    const QString title = second.badge + u" \u00b7 "_s + second.title;
    if (event.valid())
        m_selectedIn = lanes;
    else if (lanes != m_selectedIn)
        return;
    if (!event.valid() || !second.trace) {
        emit otherSelected({}, {}, {});
    } else if (!second.notReal) {
        emit otherSelected(m_compare.other(), event, title);
    } else if (m_analyzedPrediction.trace == second.trace) {
        emit otherSelected(m_analyzedPrediction, event, title);
    } else {
        m_analyzer.run(
            u"Looking at the prediction"_s,
            [trace = second.trace](Progress& progress) {
                return attempt("judge the prediction", &progress,
                               [&](const WorkMeter& work) { return std::make_shared<const Analysis>(*trace, work); });
            },
            [this, trace = second.trace, event, title](Result<std::shared_ptr<const Analysis>> analysis) {
                if (!analysis.ok()) {
                    if (!analysis.isCancelled())
                        emit failed(QString::fromStdString(analysis.error()));
                    return;
                }
                m_analyzedPrediction = {};
                m_analyzedPrediction.trace = trace;
                m_analyzedPrediction.analysis = std::move(analysis).value();
                if (m_timeline->below()->second().trace == trace && m_timeline->below()->selection()->event() == event)
                    emit otherSelected(m_analyzedPrediction, event, title);
            });
    }
}

void SecondTimelines::closeComparison()
{
    m_compare.close();
}

void SecondTimelines::revealOther(EventIndex event)
{
    if (m_selectedIn != nullptr)
        m_selectedIn->reveal(event);
}

void SecondTimelines::showWork(WorkKind kind, int row)
{
    const auto& answer = m_compare.answer();
    const bool otherIsA = m_compare.otherIsA();
    SecondLanes* lanes = comparedLanes();
    if (!answer || (otherIsA ? answer->b : answer->a).trace != m_document->trace() || lanes == nullptr)
        return;
    WorkPlace place;
    const WorkChange& work = workOf(answer->comparison, kind, row, place);
    const DeviceComparison& device = answer->comparison.devices[place.device];
    const Alignment& alignment = answer->comparison.alignment;
    const EventIndex inA = firstOf(answer->a, alignment.a, kind, work, device.a.id, work.memoryA);
    const EventIndex inB = firstOf(answer->b, alignment.b, kind, work, device.b.id, work.memoryB);
    const EventIndex inShown = otherIsA ? inB : inA;
    const EventIndex inOther = otherIsA ? inA : inB;
    const Trace& shown = *m_document->trace();
    const Trace& other = *m_compare.other().trace;
    if (inShown.valid() && inOther.valid()) {
        m_comparedAt = MeetAt::Event;
        m_eventOffsetNs = other.interval(inOther).startNs - shown.interval(inShown).startNs;
        show();
    }
    if (inShown.valid()) {
        m_document->selection()->setEvent(inShown);
        m_timeline->zoomTo(inShown);
    } else if (inOther.valid()) {
        const Interval interval = other.interval(inOther);
        m_document->view()->glideTo({interval.startNs - interval.lengthNs() - lanes->offsetNs(),
                                     interval.endNs + interval.lengthNs() - lanes->offsetNs()});
    }
    if (inOther.valid())
        lanes->reveal(inOther);
}

void SecondTimelines::dropChanges()
{
    WhatIfChoices choices = m_whatIf.choices();
    choices.on = {};
    m_whatIf.setChoices(choices);
}

void SecondTimelines::savePrediction(const QString& path)
{
    if (!m_whatIf.prediction() || !m_whatIf.prediction()->trace)
        return;
    m_saver.run(
        u"Saving %1"_s.arg(QFileInfo(path).fileName()),
        [path, trace = m_whatIf.prediction()->trace](Progress& progress) {
            return writeTrace(*trace, path.toStdString(), progress);
        },
        [this, path](const Result<void>& written) {
            if (written.ok())
                emit saved(path);
            else
                emit failed(QString::fromStdString(written.error()));
        },
        BackgroundWorker::Stale::Take);
}

}  // namespace overlane
