// InsightSource: the RangeInsight of the shown range, made on a worker whenever trace or range change.
//
// Lives on the GUI thread. What a trace needs for any range is made once and kept. While the range
// moves, of the requests that wait only the newest is kept; the answer under way is shown, too. The last
// answer stays until the next one is there (while a setting of the laboratory moves, that of the run
// before), unless a trace from elsewhere is shown.
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/session/analyzed_trace.h"
#include "app/session/background_worker.h"
#include "app/session/range_insight.h"

namespace overlane
{

class InsightSource : public QObject
{
    Q_OBJECT

public:
    explicit InsightSource(QObject* parent = nullptr);

    // Null until the first answer.
    const std::shared_ptr<const RangeInsight>& insight() const { return m_insight; }
    // Why the range asked about last has none; else empty.
    QString error() const { return m_error; }
    bool busy() const { return m_worker.busy(); }
    void ask(const AnalyzedTrace& shown, std::optional<Interval> selected);

signals:
    void changed();
    void failed(const QString& sentence);

private:
    struct Facts;

    std::shared_ptr<const RangeInsight> m_insight;
    QString m_error;
    std::shared_ptr<Facts> m_facts;  // of the trace asked about last; filled by the worker
    BackgroundWorker m_worker;
};

}  // namespace overlane
