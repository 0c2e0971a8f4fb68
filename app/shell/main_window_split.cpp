// What MainWindow shows beside the trace: predictions, and other traces to compare with.
#include <QDockWidget>

#include "app/details/details_panel.h"
#include "app/second/split_view.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/main_window.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "app/widgets/trace_folder.h"

namespace overlane
{

void MainWindow::makeSplit()
{
    m_split = new SplitView(&m_document, m_timeline, m_bottom, this);
    connect(m_split, &SplitView::helpRequested, this, &MainWindow::showHelp);
    connect(m_split, &SplitView::failed, m_message, &MessageBar::showError);
    connect(m_split, &SplitView::saved, this, [this](const QString& path) { sayOfTrace(u"Saved %1"_s.arg(path)); });
    connect(m_split, &SplitView::saveRequested, this, [this] {
        QString path =
            m_chooser.toSave(this, u"Save the predicted timeline"_s, inTraceFolder(this, u"predicted.overlane"_s),
                             u"Overlane traces (*.overlane)"_s);
        if (path.isEmpty())
            return;
        if (!path.endsWith(u".overlane"_s))
            path += u".overlane"_s;
        m_split->savePrediction(path);
    });
    connect(m_split, &SplitView::otherSelected, m_details, &DetailsPanel::showOther);
    connect(m_details, &DetailsPanel::otherEventRequested, m_split, &SplitView::revealOther);
    connect(m_split, &SplitView::compareRequested, this, &MainWindow::askToCompare);
    connect(m_split, &SplitView::swapRequested, this, [this] {
        if (!m_tabs->swapCompared())
            keepNotesThen([this] { m_split->comparison()->swap(); });
    });
}

void MainWindow::askToCompare()
{
    const QString path = m_chooser.toOpen(this, u"Compare with"_s, {}, traceFilters());
    if (!path.isEmpty())
        compareWith(path);
}

void MainWindow::compareWith(const QString& path)
{
    m_bottomDock->show();
    m_split->compareWith(path);
}

void MainWindow::compareWith(const Document::Other& other)
{
    m_bottomDock->show();
    m_split->compareWith(other);
}

}  // namespace overlane
