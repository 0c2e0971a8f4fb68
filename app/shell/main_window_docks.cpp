// The docks of MainWindow: the panels around the timeline, how they are arranged, and the layout that is kept.
#include <utility>

#include <QDockWidget>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

#include "app/details/details_panel.h"
#include "app/laboratory/laboratory_panel.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/lent_height.h"
#include "app/shell/main_window.h"
#include "app/shell/start_mark.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr QSize kSmallPx{1100, 640};  // below, panels share a place and the timeline yields
constexpr int kLeastPanelPx = 96;
constexpr QSize kFramePx{12, 40};

// A panel whose window is too low for it is scrolled, so that all of it stays within reach.
QScrollArea* scrolled(QWidget* panel)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setMinimumHeight(kLeastPanelPx);
    area->setWidget(panel);
    return area;
}

}  // namespace

void MainWindow::makeDocks()
{
    const auto add = [this](QDockWidget* dock, const QString& name, QWidget* content, Qt::DockWidgetArea area) {
        dock->setObjectName(name);
        dock->setWidget(content);
        addDockWidget(area, dock);
    };
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_laboratory = new LaboratoryPanel(&m_document, this);
    m_details = new DetailsPanel(&m_document, this);
    m_bottom = new BottomPanel(&m_document, this);
    m_bottom->setAccessibleName(u"Figures"_s);
    QScrollArea* laboratory = scrolled(m_laboratory);
    laboratory->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    laboratory->setMinimumWidth(m_laboratory->minimumSizeHint().width() +
                                style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_laboratoryDock = new LaboratoryDock(&m_document, m_remember, this);
    m_detailsDock = new QDockWidget(u"Details"_s, this);
    m_bottomDock = new QDockWidget(u"Figures"_s, this);
    add(m_laboratoryDock, "laboratoryDock", laboratory, Qt::LeftDockWidgetArea);
    add(m_detailsDock, "detailsDock", m_details, Qt::RightDockWidgetArea);
    add(m_bottomDock, "figuresDock", scrolled(m_bottom), Qt::BottomDockWidgetArea);
    // Its tabs say enough. An empty layout wants no height, a widget without one less than none.
    auto* noTitle = new QWidget(m_bottomDock);
    (new QVBoxLayout(noTitle))->setContentsMargins(0, 0, 0, 0);
    m_bottomDock->setTitleBarWidget(noTitle);
    m_bottom->notes()->viewport()->installEventFilter(this);
    m_lentHeight = new LentHeight(this, m_bottomDock, m_bottom, m_timeline);
    connect(m_lentHeight, &LentHeight::plotShown, this,
            [this](bool plot) { m_timeline->setYielding(plot || small()); });
    // A layout too large for a window that is yet to be maximized is kept by Qt, and taken again in each layout until
    // it fits, even within one. Where it holds fewer separators than that one shows, Qt 6.4 crashes (QTBUG-111538):
    // here each dock gets its own, before that layout is restored. A default layout goes without, since the docks are
    // fitted to a small window here.
    if (m_remember && QSettings().contains("layout"))
        layout()->activate();
}

bool MainWindow::small() const
{
    return width() < kSmallPx.width() || height() < kSmallPx.height();
}

void MainWindow::arrangeDocks()
{
    const bool narrow = width() < 1500;
    const bool low = height() < 900;
    m_timeline->setYielding(small());
    // Figures in too little room are scrolled; their tabs stay in sight above.
    m_bottom->setTabPosition(small() ? QTabWidget::North : QTabWidget::South);
    if (small()) {
        tabifyDockWidget(m_laboratoryDock, m_detailsDock);
        m_laboratoryDock->raise();
    }
    m_laboratory->setGroupShown(u"Machine"_s, !low);
    resizeDocks({m_laboratoryDock, m_detailsDock}, {narrow ? 300 : 330, narrow ? 210 : 290}, Qt::Horizontal);
    resizeDocks({m_bottomDock}, {small() ? height() / 4 : low ? 188 : 236}, Qt::Vertical);
    m_splitter->setSizes({height(), low ? height() * 3 / 10 : height() / 3});
}

void MainWindow::beginWithFile()
{
    m_laboratoryDock->stepAside();
}

void MainWindow::resetLayout()
{
    const std::initializer_list<std::pair<QDockWidget*, Qt::DockWidgetArea>> homes = {
        {m_laboratoryDock, Qt::LeftDockWidgetArea},
        {m_detailsDock, Qt::RightDockWidgetArea},
        {m_bottomDock, Qt::BottomDockWidgetArea}};
    for (const auto& [dock, area] : homes) {
        dock->setFloating(false);
        addDockWidget(area, dock);
        dock->show();
    }
    m_laboratoryDock->choose(true);
    arrangeDocks();
}

void MainWindow::showFigures(QWidget* page)
{
    m_bottomDock->show();
    m_bottom->setCurrentWidget(page);
    m_lentHeight->lendToPage();
}

// A layout that the last start did not survive to paint is not tried again.
void MainWindow::restoreLayout(bool withGeometry)
{
    if ((new StartMark(this))->lastNeverPainted()) {
        m_message->showNotice(
            u"The last start ended before the window was drawn, so this one has the default layout."_s);
        return;
    }
    const QSettings settings;
    if (withGeometry)
        restoreGeometry(settings.value("geometry").toByteArray());
    restoreState(settings.value("layout").toByteArray(), kLayoutVersion);
    if (!withGeometry)
        arrangeDocks();
}

// What a window may fill of its screen, the frame that the window manager adds left out; a picture has no screen.
QSize MainWindow::roomOnScreen() const
{
    const bool picture = QGuiApplication::platformName() == QLatin1String("offscreen");
    return picture ? QSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX) : screen()->availableSize() - kFramePx;
}

}  // namespace overlane
