#include "app/session/insight_source.h"

#include <utility>
#include <vector>

#include "app/session/freed_on_pool.h"
#include "app/widgets/text.h"

namespace overlane
{

// Jobs of the one worker follow each other, so that nothing is written while it is read.
struct InsightSource::Facts {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Analysis> analysis;
    std::vector<Step> steps;
    std::optional<FindingFacts> facts;
};

InsightSource::InsightSource(QObject* parent) : QObject(parent) {}

void InsightSource::ask(const AnalyzedTrace& shown, std::optional<Interval> selected)
{
    if (!m_facts || m_facts->trace != shown.trace || m_facts->analysis != shown.analysis) {
        m_worker.cancel();  // it looks at a trace that is shown no more
        m_facts = madeFreedOnPool<Facts>();
        m_facts->trace = shown.trace;
        m_facts->analysis = shown.analysis;
        m_facts->steps = shown.steps.steps;
        const bool rerun = m_insight && shown.trace && shown.trace->metadata().isLaboratoryRun() &&
                           m_insight->trace->metadata().isLaboratoryRun();
        if (m_insight && m_insight->trace != shown.trace && !rerun) {
            m_insight.reset();
            emit changed();
        }
    }
    m_error.clear();
    if (!shown.trace)
        return;
    // While the range moves every answer is shown, also one that is already outdated.
    m_worker.run(
        u"Analyzing"_s,
        [live = shown.live, selected, facts = m_facts](Progress& progress) {
            return attempt("look for what costs time", &progress, [&](const WorkMeter& work) {
                if (!facts->facts)
                    facts->facts.emplace(*facts->trace, *facts->analysis, work);
                JudgeRequest request;
                request.range = selected;
                request.live = live;
                return RangeInsight{
                    judge({*facts->trace, *facts->analysis, facts->steps, &*facts->facts}, request, work),
                    facts->trace};
            });
        },
        [this, trace = shown.trace](Result<RangeInsight> found) {
            if (m_facts->trace != trace || (!found.ok() && found.isCancelled()))
                return;
            if (found.ok()) {
                m_insight = std::make_shared<const RangeInsight>(std::move(found).value());
                return emit changed();
            }
            m_insight.reset();
            m_error = QString::fromStdString(found.error());
            emit changed();
            emit failed(m_error);
        },
        BackgroundWorker::Stale::Take);
}

}  // namespace overlane
