// LoopMenu: the loops that the shown trace has, one of which is taken for its steps.
//
// Lives on the GUI thread; the loops are sought on a worker when the menu is first opened on a trace, and so
// are the steps of the one that is chosen. A trace that grows has no choice: its steps change by themselves.
#pragma once

#include <memory>
#include <vector>

#include <QMenu>

#include "app/session/background_worker.h"
#include "core/analysis/steps.h"
#include "core/trace/trace.h"

namespace overlane
{

class Document;

class LoopMenu : public QMenu
{
    Q_OBJECT

public:
    explicit LoopMenu(Document* document, QWidget* parent = nullptr);

    bool busy() const { return m_worker.busy(); }

private:
    void look();
    void list();
    void say(const QString& sentence);
    void take(std::size_t level);

    Document* m_document;
    std::shared_ptr<const Trace> m_trace;  // that m_levels are of
    std::vector<IterationLevel> m_levels;
    BackgroundWorker m_worker;
};

}  // namespace overlane
