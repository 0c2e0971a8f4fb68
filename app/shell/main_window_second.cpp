// What MainWindow shows beside the trace: predictions, and other traces to compare with.
#include <QDockWidget>

#include "app/details/details_panel.h"
#include "app/second/second_timelines.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/main_window.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "app/widgets/trace_folder.h"

namespace overlane
{

void MainWindow::makeSecondTimelines()
{
    m_secondTimelines = new SecondTimelines(&m_document, m_timeline, m_bottom, this);
    connect(m_secondTimelines, &SecondTimelines::helpRequested, this, &MainWindow::showHelp);
    connect(m_secondTimelines, &SecondTimelines::failed, m_message, &MessageBar::showError);
    connect(m_secondTimelines, &SecondTimelines::saved, this,
            [this](const QString& path) { sayOfTrace(u"Saved %1"_s.arg(path)); });
    connect(m_secondTimelines, &SecondTimelines::saveRequested, this, [this] {
        QString path =
            m_chooser.toSave(this, u"Save the predicted timeline"_s, inTraceFolder(this, u"predicted.overlane"_s),
                             u"Overlane traces (*.overlane)"_s);
        if (path.isEmpty())
            return;
        if (!path.endsWith(u".overlane"_s))
            path += u".overlane"_s;
        m_secondTimelines->savePrediction(path);
    });
    connect(m_secondTimelines, &SecondTimelines::otherSelected, m_details, &DetailsPanel::showOther);
    connect(m_details, &DetailsPanel::otherEventRequested, m_secondTimelines, &SecondTimelines::revealOther);
    connect(m_secondTimelines, &SecondTimelines::compareRequested, this, &MainWindow::askToCompare);
    connect(m_secondTimelines, &SecondTimelines::swapRequested, this, [this] {
        if (!m_tabs->swapCompared())
            keepNotesThen([this] { m_secondTimelines->comparison()->swap(); });
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
    m_secondTimelines->compareWith(path);
}

void MainWindow::compareWith(const Document::Other& other)
{
    m_bottomDock->show();
    m_secondTimelines->compareWith(other);
}

}  // namespace overlane
