// WhatIfSource: predictions of the document's trace with changes, made on workers as they are asked for.
//
// Lives on the GUI thread. For a trace that is looked at, the program behind it is rebuilt once; then
// every change is tried by itself, and the chosen ones together, with a timeline. Choosing never waits
// for the trials: they have a worker of their own. A trial says what the step would take if that change
// alone were switched over, with the others as they are. Nanoseconds.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/second/what_if_choices.h"
#include "app/session/background_worker.h"
#include "core/lod/trace_pyramids.h"
#include "core/replay/replay.h"

namespace overlane
{

class Document;

struct WhatIfTrial {
    bool known = false;
    std::int64_t stepNs = 0;
    Noise noise;    // of the difference that the change makes
    QString error;  // why it cannot be predicted; else empty
};

class WhatIfSource : public QObject
{
    Q_OBJECT

public:
    enum class State : std::uint8_t { Idle, Rebuilding, Ready, Impossible, Cancelled };

    explicit WhatIfSource(Document* document, QObject* parent = nullptr);

    // Whether anybody looks: nothing is rebuilt while nobody does and nothing is chosen.
    void setWanted(bool wanted);
    void setChoices(const WhatIfChoices& choices);
    const WhatIfChoices& choices() const { return m_choices; }
    void cancel();
    // After cancel().
    void retry();

    State state() const { return m_state; }
    // Why nothing can be predicted of this trace.
    QString error() const { return m_error; }
    const ReplayReport* report() const { return m_replay ? &m_replay->report() : nullptr; }
    const WhatIfTrial& trial(ChangeKind kind) const { return m_trials[static_cast<std::size_t>(kind)]; }
    // The usual three together, with the depth that is best.
    const WhatIfTrial& together() const { return m_together; }
    static WhatIfChoices usualThree(WhatIfChoices choices);
    // Changes whose trials are known with nothing switched on: what clearly helps first, the shortest step of
    // each first; complete.
    const std::array<ChangeKind, kChangeKindCount>& ranking() const { return m_ranking; }

    // Of the choices, with a timeline; null where nothing is chosen or it is not there yet.
    const std::shared_ptr<const Prediction>& prediction() const { return m_prediction; }
    // Of the prediction's timeline; made with it, on the worker.
    const std::shared_ptr<const TracePyramids>& predictedPyramids() const { return m_predictedPyramids; }
    QString predictionError() const { return m_predictionError; }
    bool busy() const { return m_rebuilding.busy() || m_choosing.busy() || m_trying.busy(); }
    // How long the last prediction took, with its timeline.
    std::int64_t tookNs() const { return m_tookNs; }

signals:
    void changed();    // state, trials, ranking
    void predicted();  // another prediction, or none
    void choicesChanged();
    void failed(const QString& sentence);  // nothing is predicted for want of memory, not of data

private:
    void forget();
    void dropPrediction();
    void rebuild();
    void predict();
    void tryAll();
    void tryNext();
    void stopTrying();
    void rank();

    Document* m_document;
    bool m_wanted = false;
    State m_state = State::Idle;
    QString m_error;
    std::shared_ptr<const Trace> m_trace;
    std::shared_ptr<const Replay> m_replay;
    WhatIfChoices m_choices;
    std::array<WhatIfTrial, kChangeKindCount> m_trials;
    WhatIfTrial m_together;
    std::array<ChangeKind, kChangeKindCount> m_ranking;
    bool m_ranked = false;
    int m_nextTrial = 0;          // kChangeKindCount: the usual three; beyond: none is left
    std::uint64_t m_request = 0;  // the newest choices
    std::shared_ptr<const Prediction> m_prediction;
    std::shared_ptr<const TracePyramids> m_predictedPyramids;
    QString m_predictionError;
    std::int64_t m_tookNs = 0;

    BackgroundWorker m_rebuilding;
    BackgroundWorker m_choosing;
    BackgroundWorker m_trying;
};

}  // namespace overlane
