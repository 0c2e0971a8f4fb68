#include "app/second/what_if_source.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "app/session/document.h"
#include "app/session/freed_on_pool.h"
#include "app/widgets/text.h"
#include "core/analysis/steps.h"
#include "core/analysis/timed_steps.h"
#include "core/judgement/judgement.h"
#include "core/system/memory_status.h"

namespace overlane
{

namespace
{

constexpr std::array<ChangeKind, kChangeKindCount> kUsualOrder = {
    ChangeKind::Pin,       ChangeKind::NonBlocking, ChangeKind::SideStream,
    ChangeKind::ReadLater, ChangeKind::DropSyncs,   ChangeKind::MergeSmall,
    ChangeKind::Workers,   ChangeKind::Device,      ChangeKind::Link};

}  // namespace

WhatIfSource::WhatIfSource(Document* document, QObject* parent)
    : QObject(parent), m_document(document), m_ranking(kUsualOrder)
{
    connect(document, &Document::traceChanged, this, [this] {
        if (m_document->trace() == m_trace)
            return;
        forget();
        if (m_wanted || m_choices.any())
            rebuild();
    });
    connect(document, &Document::stepsChanged, this, [this] {
        const WhatIfChoices kept = m_choices;
        forget();
        m_choices = kept;
        emit choicesChanged();
        if (m_wanted || m_choices.any())
            rebuild();
    });
}

void WhatIfSource::forget()
{
    // A run of the laboratory with other settings keeps what is switched on; another trace starts anew.
    const auto& trace = m_document->trace();
    const auto isRun = [](const Trace* shown) { return shown && shown->metadata().isLaboratoryRun(); };
    const bool rerun = isRun(m_trace.get()) && isRun(trace.get());
    m_rebuilding.forget();
    m_trying.forget();
    m_choosing.cancel();
    m_trace = trace;
    m_replay.reset();
    m_state = State::Idle;
    m_error.clear();
    m_ranked = false;
    m_ranking = kUsualOrder;
    m_trials = {};
    m_together = {};
    ++m_request;
    m_predictionError.clear();
    if (!rerun)
        m_choices = trace ? choicesFor(*trace) : WhatIfChoices{};
    // Of a re-run the last prediction stays until the next one is there.
    if (!rerun)
        dropPrediction();
    emit choicesChanged();
    emit changed();
}

void WhatIfSource::dropPrediction()
{
    if (!m_prediction)
        return;
    m_prediction.reset();
    m_predictedPyramids.reset();
    emit predicted();
}

void WhatIfSource::setWanted(bool wanted)
{
    m_wanted = wanted;
    if (!wanted)
        return;
    if (m_trace != m_document->trace())
        forget();
    if (m_state == State::Idle)
        rebuild();
}

void WhatIfSource::retry()
{
    if (m_state != State::Cancelled)
        return;
    m_state = State::Idle;
    rebuild();
}

void WhatIfSource::rebuild()
{
    if (!m_trace)
        return;
    if (m_document->following() || (m_document->current().partial && m_document->gpuRuns()->busy())) {
        m_state = State::Impossible;
        m_error = u"The run continues; predictions are made once it has ended."_s;
        dropPrediction();
        emit changed();
        return;
    }
    m_state = State::Rebuilding;
    emit changed();
    // An answer is of the same trace: forget() drops any other.
    m_rebuilding.run(
        u"Replaying"_s,
        [trace = m_trace, analysis = m_document->current().analysis](Progress& progress) {
            JudgeRequest request;
            request.depth = Depth::Verdict;
            const Judgement judgement = judge({*trace, *analysis, timedSteps(*trace, *analysis).steps}, request);
            ReplayOptions options;
            options.averageStepNs = judgement.stepNs;
            options.range = judgement.range;
            options.ramBytes = machineMemory().totalBytes;
            return Replay::build(trace, *analysis, options, &progress);
        },
        [this](Result<Replay> built) {
            if (!built.ok()) {
                m_state = built.isCancelled() ? State::Cancelled : State::Impossible;
                m_error = QString::fromStdString(built.error());
                dropPrediction();
                return emit changed();
            }
            m_replay = madeFreedOnPool<const Replay>(std::move(built).value());
            m_state = State::Ready;
            emit changed();
            predict();
        });
}

void WhatIfSource::setChoices(const WhatIfChoices& choices)
{
    if (choices == m_choices)
        return;
    m_choices = choices;
    // What was tried was tried beside other choices.
    for (WhatIfTrial& trial : m_trials)
        trial.known = false;
    m_together.known = false;
    emit choicesChanged();
    if (m_state == State::Idle && choices.any()) {
        if (m_trace != m_document->trace())
            m_trace = m_document->trace();
        rebuild();
    }
    predict();
}

// The choices first, then the trials: they would take time from what a person waits for.
void WhatIfSource::predict()
{
    const std::uint64_t request = ++m_request;
    stopTrying();
    if (!m_choices.any()) {
        m_predictionError.clear();
        m_prediction.reset();
        m_predictedPyramids.reset();
        emit predicted();
        tryAll();
        return;
    }
    if (!m_replay)
        return;
    struct Made {
        Prediction prediction;
        std::shared_ptr<const TracePyramids> pyramids;
        std::int64_t tookNs = 0;
    };
    // While a value is turned every answer is shown, also one that is already outdated.
    m_choosing.run(
        u"Predicting"_s,
        [replay = m_replay, changes = m_choices.changes()](Progress& progress) -> Result<Made> {
            const auto began = std::chrono::steady_clock::now();
            ASSIGN_OR_RETURN(Prediction prediction, replay->predict(changes, WithTrace::Yes, &progress));
            Made made{std::move(prediction), {}, 0};
            made.pyramids = madeFreedOnPool<const TracePyramids>(made.prediction.trace);
            made.tookNs = (std::chrono::steady_clock::now() - began).count();
            return made;
        },
        [this, request, replay = m_replay](Result<Made> made) {
            const bool isCancelled = !made.ok() && made.isCancelled();
            if (isCancelled || replay != m_replay || !m_choices.any())
                return;
            m_predictionError = made.ok() ? QString() : QString::fromStdString(made.error());
            if (made.ok()) {
                m_tookNs = made.value().tookNs;
                m_predictedPyramids = made.value().pyramids;
                m_prediction = madeFreedOnPool<const Prediction>(std::move(made).value().prediction);
            } else if (request == m_request) {
                m_prediction.reset();
                m_predictedPyramids.reset();
            }
            emit predicted();
            if (request == m_request)
                tryAll();
        },
        BackgroundWorker::Stale::Take);
}

WhatIfChoices WhatIfSource::usualThree(WhatIfChoices choices)
{
    for (const ChangeKind kind : {ChangeKind::Pin, ChangeKind::NonBlocking, ChangeKind::SideStream})
        choices.set(kind, true);
    return choices;
}

void WhatIfSource::tryAll()
{
    if (!m_replay)
        return;
    stopTrying();
    m_nextTrial = 0;
    tryNext();
}

void WhatIfSource::stopTrying()
{
    m_trying.forget();
    m_nextTrial = kChangeKindCount + 1;
}

// One at a time, so that each is shown when it is there and newer choices need not wait for older ones.
void WhatIfSource::tryNext()
{
    if (m_nextTrial > kChangeKindCount || !m_replay)
        return;
    const int number = m_nextTrial++;
    WhatIfChoices choices = m_choices;
    if (number == kChangeKindCount) {
        choices = usualThree(choices);
    } else {
        const auto kind = static_cast<ChangeKind>(number);
        choices.set(kind, !choices.has(kind));
    }
    m_trying.run(
        u"Trying changes"_s,
        [replay = m_replay, changes = choices.changes()](Progress& progress) {
            return replay->predict(changes, WithTrace::No, &progress);
        },
        [this, number](const Result<Prediction>& predicted) {
            WhatIfTrial& trial = number == kChangeKindCount ? m_together : m_trials[static_cast<std::size_t>(number)];
            trial = {};
            trial.known = true;
            if (predicted.ok()) {
                trial.stepNs = predicted.value().stepNsPredicted;
                trial.noise = predicted.value().noise;
            } else {
                trial.error = QString::fromStdString(predicted.error());
            }
            if (m_nextTrial > kChangeKindCount)
                rank();
            emit changed();
            tryNext();
        });
}

void WhatIfSource::rank()
{
    // Rows that move under the hand help nobody: they are ordered once per trace, with nothing switched on.
    if (m_ranked || m_choices.any())
        return;
    m_ranked = true;
    const std::int64_t nowNs = m_replay->report().stepNsReplayed;
    const auto place = [this, nowNs](ChangeKind kind) {
        const WhatIfTrial& one = trial(kind);
        // What a person cannot change by a line of code comes behind what can be.
        const int group = !one.error.isEmpty() ? 2 : kind == ChangeKind::Device || kind == ChangeKind::Link ? 1 : 0;
        const bool unclear = one.noise.direction(nowNs, one.stepNs) != Direction::Faster;
        return std::tuple(group, unclear, one.stepNs);
    };
    std::stable_sort(m_ranking.begin(), m_ranking.end(),
                     [&](ChangeKind a, ChangeKind b) { return place(a) < place(b); });
}

void WhatIfSource::cancel()
{
    const bool rebuilding = m_state == State::Rebuilding;
    m_rebuilding.forget();
    m_choosing.cancel();
    stopTrying();
    if (rebuilding) {
        m_state = State::Cancelled;
        emit changed();
    }
}

}  // namespace overlane
