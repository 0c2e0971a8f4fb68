#include "app/session/insight_source.h"

#include <utility>

namespace overlane
{

// Jobs of the one worker follow each other, so that nothing is written while it is read.
struct InsightSource::Facts {
    std::shared_ptr<const Trace> trace;
    std::optional<FindingFacts> facts;
};

InsightSource::InsightSource(QObject* parent) : QObject(parent) {}

void InsightSource::ask(const AnalysedTrace& shown, std::optional<Interval> selected)
{
    if (!m_facts || m_facts->trace != shown.trace) {
        m_worker.cancel();  // it looks at a trace that is shown no more
        m_facts = std::make_shared<Facts>();
        m_facts->trace = shown.trace;
        const bool rerun = m_insight && shown.trace && !shown.trace->metadata().scenarioJson.empty() &&
                           !m_insight->trace->metadata().scenarioJson.empty();
        if (m_insight && !rerun) {
            m_insight.reset();
            emit changed();
        }
    }
    m_error.clear();
    if (!shown.trace)
        return;
    const auto told = [this, trace = shown.trace](const QString& why) {
        if (m_facts->trace != trace)
            return;
        m_insight.reset();
        m_error = why;
        emit changed();
        emit failed(why);
    };
    m_worker.post(
        tr("Looking for what costs time"), told,
        [this, shown, selected, facts = m_facts, told](Progress& progress) -> BackgroundWorker::Continuation {
            Result<RangeInsight> found = attempt("look for what costs time", &progress, [&](const WorkMeter& work) {
                if (!facts->facts)
                    facts->facts.emplace(*shown.trace, *shown.analysis, work);
                JudgeRequest request;
                request.range = selected;
                request.live = shown.live;
                return RangeInsight{
                    judge({*shown.trace, *shown.analysis, shown.steps.steps, &*facts->facts}, request, work),
                    shown.trace};
            });
            if (!found.ok()) {
                if (found.isCancelled())
                    return {};
                return [told, why = QString::fromStdString(found.error())] { told(why); };
            }
            auto made = std::make_shared<const RangeInsight>(std::move(found).value());
            return [this, trace = shown.trace, made] {
                // While the range moves every answer is shown, also one that is already outdated.
                if (m_facts->trace != trace)
                    return;
                m_insight = made;
                emit changed();
            };
        });
}

}  // namespace overlane
