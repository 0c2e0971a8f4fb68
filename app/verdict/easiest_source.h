// EasiestSource: the easiest change behind the shown trace's verdict, predicted once its first picture stands.
//
// Lives on the GUI thread and asks the document; a worker of its own predicts, a moment after the last trace came, so
// that neither opening a file nor moving a setting waits for it. A trace that grows has none.
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QTimer>

#include "app/session/background_worker.h"
#include "core/replay/prediction.h"
#include "core/trace/trace.h"

namespace overlane
{

class Document;

class EasiestSource : public QObject
{
    Q_OBJECT

public:
    explicit EasiestSource(Document* document, QObject* parent = nullptr);

    // Of the shown trace; none until it is there.
    const std::optional<Prediction>& easiest() const { return m_easiest; }
    bool busy() const { return m_pause.isActive() || m_worker.busy(); }

signals:
    void changed();

private:
    void forget();
    void predict();

    Document* m_document;
    std::shared_ptr<const Trace> m_trace;  // that m_easiest is of
    std::optional<Prediction> m_easiest;
    QTimer m_pause;
    BackgroundWorker m_worker;
};

}  // namespace overlane
