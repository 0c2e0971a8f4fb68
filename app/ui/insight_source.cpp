#include "app/ui/insight_source.h"

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
        m_facts = std::make_shared<Facts>();
        m_facts->trace = shown.trace;
        const bool rerun = m_insight && shown.trace && !shown.trace->metadata().scenarioJson.empty() &&
                           !m_insight->trace->metadata().scenarioJson.empty();
        if (m_insight && !rerun) {
            m_insight.reset();
            emit changed();
        }
    }
    if (!shown.trace)
        return;
    m_worker.post(tr("Looking for what costs time"),
                  [this, shown, selected, facts = m_facts](Progress&) -> BackgroundWorker::Continuation {
                      if (!facts->facts)
                          facts->facts.emplace(*shown.trace, *shown.analysis);
                      auto made = std::make_shared<const RangeInsight>(rangeInsight(shown, *facts->facts, selected));
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
