#include "app/shell/main_window.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/details/details_panel.h"
#include "app/findings/findings_panel.h"
#include "app/laboratory/laboratory_panel.h"
#include "app/recording/record_bar.h"
#include "app/second/second_timelines.h"
#include "app/session/recorder.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/drop_target.h"
#include "app/shell/engine_memory.h"
#include "app/shell/exporter.h"
#include "app/shell/first_hint.h"
#include "app/shell/gauge_menu.h"
#include "app/shell/help_window.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/lane_menu.h"
#include "app/shell/lent_height.h"
#include "app/shell/notes_keeper.h"
#include "app/shell/offer_bar.h"
#include "app/shell/recent_files.h"
#include "app/shell/samples.h"
#include "app/shell/search_bar.h"
#include "app/shell/shortcut_page.h"
#include "app/shell/status_line.h"
#include "app/shell/time_actions.h"
#include "app/shell/trace_tabs.h"
#include "app/shell/window_shell.h"
#include "app/tables/events_panel.h"
#include "app/tables/flame_panel.h"
#include "app/tables/names_panel.h"
#include "app/tables/step_figures.h"
#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/timeline_view.h"
#include "app/timeline/track_badges.h"
#include "app/verdict/verdict_bar.h"
#include "app/widgets/field_manners.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/text.h"
#include "core/analysis/verdict.h"

namespace overlane
{

namespace
{

constexpr int kMotionMs = 120;
constexpr QSize kFirstSizePx{1440, 900};
const QSizePolicy kShownPage(QSizePolicy::Preferred, QSizePolicy::Preferred);
const QSizePolicy kHiddenPage(QSizePolicy::Ignored, QSizePolicy::Ignored);

// As TimelineView::setBundling(). Of a trace that grows no thread is known to stay quiet, and the laboratory's workers
// are what its runs are about.
std::optional<Interval> bundledRange(const Document& document)
{
    if (!document.isOpened())
        return std::nullopt;
    const AnalyzedTrace& shown = document.current();
    return shown.live ? Interval{} : activeRange(*shown.analysis, shown.steps.steps).range;
}

std::vector<Interval> intervalsOf(const std::vector<Step>& steps)
{
    std::vector<Interval> intervals(steps.size());
    std::transform(steps.begin(), steps.end(), intervals.begin(), [](const Step& step) { return step.interval; });
    return intervals;
}

}  // namespace

MainWindow::MainWindow(bool remember, Theme theme, std::optional<QSize> size, QWidget* parent)
    : QMainWindow(parent), m_remember(remember), m_theme(theme)
{
    setAcceptDrops(true);
    new FieldManners(this);
    setWindowIcon(QIcon(u":/icons/overlane.svg"_s));
    m_recorder = new Recorder(this);
    m_exporter = new Exporter(this);
    m_dropTarget = new DropTarget(this);
    makeCenter();
    makeRecorder();
    makeDocks();
    makeStatusBar();
    showWork();
    makeFileMenu();
    QMenu* edit = makeEditMenu();
    QMenu* view = makeViewMenu();
    QMenu* tools = menuBar()->addMenu(u"&Tools"_s);
    QMenu* help = makeHelpMenu();
    connectPanels();
    connectMarks();
    makeSecondTimelines();
    makeTabs();
    m_shell = new WindowShell(this, {.tools = tools, .help = help, .edit = edit, .view = view});
    resize(size.value_or(kFirstSizePx.boundedTo(roomOnScreen())));
    arrangeDocks();
    if (m_remember) {
        // Where the system wants no motion the style says 0; pictures and tests move at once.
        m_document.view()->setMotionMs(std::min(kMotionMs, style()->styleHint(QStyle::SH_Widget_Animation_Duration)));
        restoreLayout(!size);
    }
    m_laboratoryDock->followDocument();
    if (m_remember)
        keepNotesIn(UnsavedFile::usualFolder());
    showTitle();
    installEventFilter(this);  // until the first paint
}

MainWindow::~MainWindow()
{
    m_keeper.reset();
    // The panels speak to the document, a member, until they are gone: they go first.
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void MainWindow::makeCenter()
{
    m_verdict = new VerdictBar(&m_document, this);
    auto* top = new QToolBar(u"Verdict"_s, this);
    top->setObjectName("verdictToolBar");
    top->setMovable(false);
    top->setFloatable(false);
    top->setContentsMargins(0, 0, 0, 0);
    top->toggleViewAction()->setEnabled(false);
    top->addWidget(m_verdict);
    addToolBar(Qt::TopToolBarArea, top);

    auto* center = new QWidget(this);
    m_message = new MessageBar(center);
    m_offer = new OfferBar(center);
    m_tracesOffer = new OfferBar(center);
    m_tabs = new TraceTabs(this, center);
    m_recordBar = new RecordBar(m_recorder, center);
    m_hint = new FirstHint(&m_document, center);
    m_search = new SearchBar(&m_document, center);
    m_splitter = new QSplitter(Qt::Vertical, center);
    m_splitter->setChildrenCollapsible(false);
    m_timeline = new TimelineView(m_document.view(), m_document.selection(), m_splitter);
    m_gauges = new GaugePanel(m_document.view(), m_splitter);
    m_splitter->addWidget(m_timeline);
    m_splitter->addWidget(m_gauges);
    m_splitter->setStretchFactor(0, 4);
    m_splitter->setStretchFactor(1, 1);

    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_offer);
    column->addWidget(m_tracesOffer);
    column->addWidget(m_recordBar);
    column->addWidget(m_hint);
    column->addWidget(m_search);
    column->addWidget(m_tabs);
    column->addWidget(m_splitter, 1);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(center);
    setCentralWidget(m_pages);
    connect(m_pages, &QStackedWidget::currentChanged, this, [this](int shown) {
        // A page that is not shown asks for no room.
        for (int page = 0; page < m_pages->count(); ++page)
            m_pages->widget(page)->setSizePolicy(page == shown ? kShownPage : kHiddenPage);
        describeShown();
    });
}

// The keys of an opened trace are those of its timeline, but where a text is typed.
void MainWindow::takeKeys()
{
    const QWidget* focused = focusWidget();
    if (qobject_cast<const QLineEdit*>(focused) == nullptr && qobject_cast<const QPlainTextEdit*>(focused) == nullptr)
        m_timeline->setFocus(Qt::MouseFocusReason);
}

void MainWindow::connectPanels()
{
    connect(&m_document, &Document::traceChanged, this, &MainWindow::showTrace);
    connect(&m_document, &Document::dirtyChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::failed, m_message, &MessageBar::showError);
    connect(&m_document, &Document::remarked, m_message, &MessageBar::showError);
    if (m_remember)
        connect(new EngineMemory(&m_document, this), &EngineMemory::notHonored, m_message, &MessageBar::showError);
    connect(m_document.gpuRuns()->worker(), &BackgroundWorker::busyChanged, this, [this](bool busy) {
        if (busy)  // what was said of the run before
            m_message->hideError();
    });
    connect(&m_document, &Document::opened, this, [this](const QString& path) {
        m_message->hideError();
        m_bottom->setCurrentWidget(m_bottom->findings());
        takeKeys();
        for (const ImportStat& stat : m_document.trace()->stats().all())
            if (stat.severity == Severity::Error)
                m_message->showError(u"%1: %2"_s.arg(QFileInfo(path).fileName(), text(stat.explanation)));
        if (m_remember)
            RecentFiles().add(QFileInfo(path).absoluteFilePath(), text(m_document.judgement()->headline()));
    });
    connect(&m_document, &Document::saved, this, [this](const QString& path) {
        sayOfTrace(u"Saved %1"_s.arg(path));
        if (m_remember)
            RecentFiles().add(QFileInfo(path).absoluteFilePath());
    });
    connect(m_exporter, &Exporter::written, this, [this](const QString& path, qint64 bytes) {
        sayOfTrace(u"Wrote %1, %2"_s.arg(path, text(formatBytes(bytes))));
    });
    connect(m_bottom, &BottomPanel::tableExported, this,
            [this](const QString& path) { sayOfTrace(u"Wrote %1"_s.arg(path)); });
    connect(m_exporter, &Exporter::printed, this,
            [this](const QString& printer) { sayOfTrace(u"The report was sent to %1"_s.arg(printer)); });
    connect(m_exporter, &Exporter::failed, m_message, &MessageBar::showError);
    connect(&m_document, &Document::idle, this, &MainWindow::neverStayEmpty);
    connect(m_hint, &FirstHint::done, this, [this] {
        if (m_remember)
            QSettings().setValue("firstHintDone", true);
    });
    connect(m_hint, &FirstHint::lessonsRequested, this, [this] { emit lessonRequested({}); });
    connect(m_verdict, &VerdictBar::showRequested, this, &MainWindow::zoomTo);
    connect(m_verdict, &VerdictBar::changeRequested, this, [this](const Change& change) {
        m_bottomDock->show();
        m_secondTimelines->tryChange(change);
    });
    connect(m_bottom, &BottomPanel::showRequested, this, &MainWindow::zoomTo);
    connect(m_bottom->findings(), &FindingsPanel::whatIfRequested, this,
            [this](RuleId rule) { m_secondTimelines->tryChangeFor(rule); });
    connect(m_bottom->findings(), &FindingsPanel::roomWanted, this,
            [this](int missingPx) { m_lentHeight->lend(m_bottomDock->height() + missingPx); });
    connect(m_bottom, &BottomPanel::helpRequested, this, &MainWindow::showHelp);
    connect(m_details, &DetailsPanel::helpRequested, this, &MainWindow::showHelp);
    connect(m_document.insights(), &InsightSource::changed, this, &MainWindow::showInsight);
    connect(m_details, &DetailsPanel::eventRequested, this, &MainWindow::reveal);
    connect(m_document.selection(), &Selection::eventChanged, this, [this] {
        // In a small window they lie behind the laboratory.
        if (m_document.selection()->event().valid() && !tabifiedDockWidgets(m_detailsDock).isEmpty())
            m_detailsDock->raise();
    });
    connect(m_bottom, &BottomPanel::eventRequested, this, &MainWindow::reveal);
    connect(m_bottom, &BottomPanel::rangeRequested, m_document.view(), &ViewRange::setRange);
    connect(m_search, &SearchBar::eventRequested, this, &MainWindow::showClearly);
    connect(m_search, &SearchBar::listRequested, this, [this](const QString& name, qint64 leastNs) {
        m_bottomDock->show();
        m_bottom->setCurrentWidget(m_bottom->events());
        m_bottom->events()->list(name, leastNs);
    });
    connect(m_search, &SearchBar::hitsChanged, m_timeline, &TimelineView::setHighlights);
    connect(m_bottom->names(), &NamesPanel::eventRequested, this, &MainWindow::showClearly);
    connect(m_bottom->flame(), &FlamePanel::eventRequested, this, &MainWindow::showClearly);
    connect(m_bottom, &BottomPanel::eventsMarked, m_timeline, &TimelineView::setHighlights);
    connect(m_timeline, &TimelineView::contextMenuRequested, this, &MainWindow::showLaneMenu);
    connect(m_timeline, &TimelineView::timeMenuRequested, this, [this](std::int64_t ns, QPoint globalPos) {
        if (m_document.trace())
            makeTimeMenu(ns, &m_document, m_timeline, this)->popup(globalPos);
    });
    connect(m_gauges, &GaugePanel::contextMenuRequested, this, [this](const GaugeSpot& spot, QPoint globalPos) {
        (new GaugeMenu(spot, &m_document, m_timeline, m_gauges, this))->popup(globalPos);
    });
    connect(m_timeline, &TimelineView::foldingChanged, m_gauges,
            [this] { m_gauges->setArrangement(m_timeline->tracks().arrangement()); });
    connect(m_search, &SearchBar::closed, m_timeline, qOverload<>(&QWidget::setFocus));
    m_bottom->events()->setRowsInSight([this] { return m_timeline->rowsInSight(); });
    connect(m_timeline, &TimelineView::rowsMoved, m_bottom->events(), &EventsPanel::followSight);
    connect(m_timeline, &TimelineView::tableRequested, this, &MainWindow::listInSight);
    connect(m_timeline, &TimelineView::searchRequested, m_search, qOverload<>(&SearchBar::open));
    connect(m_timeline, &TimelineView::helpRequested, this, [this] { showHelp(HelpWindow::kKeys); });
}

void MainWindow::neverStayEmpty()
{
    if (m_document.trace() || m_fellBack)
        return;
    m_fellBack = true;
    m_document.simulate();
}

void MainWindow::showClearly(EventIndex event)
{
    reveal(event);
    m_timeline->ensureLegible(event);
}

void MainWindow::showLaneMenu(const LaneSpot& spot, QPoint globalPos)
{
    auto* menu = new LaneMenu(spot, &m_document, m_timeline, this);
    connect(menu, &LaneMenu::eventRequested, this, &MainWindow::reveal);
    connect(menu, &LaneMenu::searchRequested, m_search, qOverload<const QString&>(&SearchBar::open));
    connect(menu, &LaneMenu::nameRequested, this, [this](EventIndex event) {
        m_bottomDock->show();
        m_bottom->setCurrentWidget(m_bottom->names());
        m_bottom->names()->show(event);
    });
    menu->popup(globalPos);
}

void MainWindow::reveal(EventIndex event)
{
    m_document.selection()->setEvent(event);
    m_timeline->ensureVisible(event);
}

void MainWindow::zoomTo(EventIndex event)
{
    m_document.selection()->setEvent(event);
    m_timeline->zoomTo(event);
    m_timeline->ensureVisible(event);
}

void MainWindow::showEvidence(int step)
{
    m_bottomDock->show();
    m_bottom->setCurrentWidget(m_bottom->findings());
    m_bottom->findings()->nextEvidence(step);
}

void MainWindow::listInSight()
{
    showFigures(m_bottom->events());
    m_bottom->events()->listInSight();
}

void MainWindow::showInsight()
{
    const auto& insight = m_document.insights()->insight();
    m_timeline->setBadges(insight && insight->trace == m_document.trace()
                              ? trackBadges(*insight, *insight->trace, Palette::current(palette()))
                              : TrackBadges{});
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showInsight();
}

void MainWindow::setTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
}

void MainWindow::offerFirstHint()
{
    if (!m_remember || !QSettings().value("firstHintDone", false).toBool())
        m_hint->offer();
}

HelpWindow* MainWindow::showHelp(const QString& page, const QString& section)
{
    if (m_help == nullptr)
        m_help = new HelpWindow([this] { return shortcutPage(shortcutLines(*menuBar())); }, this);
    m_help->open(page, section);
    return m_help;
}

void MainWindow::forgetLastTrace()
{
    if (m_toldTrace.lock() != m_document.trace() && statusBar()->currentMessage() == m_saidOfTrace)
        statusBar()->clearMessage();
    if (std::exchange(m_line, m_document.line()) == m_document.line())
        return;
    const bool itsFile = m_document.origin() == Document::Origin::Recording || m_document.path() == m_recorder->file();
    if (!itsFile)
        m_recordBar->retire();
}

void MainWindow::showTrace()
{
    forgetLastTrace();
    m_showingTrace = true;
    m_timeline->setTrace(m_document.trace(), m_document.current().pyramids);
    showMarks();
    m_timeline->setBundling(bundledRange(m_document));
    m_showingTrace = false;
    m_timeline->setAnalysis(m_document.current().analysis);
    m_timeline->setStepMarks(rulerMarks(m_document.current().steps.steps));
    m_timeline->setSteps(intervalsOf(m_document.current().steps.steps));
    m_gauges->setArrangement(m_timeline->tracks().arrangement());
    m_gauges->setTrace(m_document.trace(), m_document.current().pyramids);
    describeShown();
    showTitle();
}

void MainWindow::showTitle()
{
    const QString title = m_document.title().isEmpty() ? QString() : m_document.title() + u"[*] — "_s;
    setWindowTitle(title + u"Overlane"_s);
    setWindowFilePath(isSample(m_document.path()) ? QString() : m_document.path());  // inTraceFolder()
    setWindowModified(m_document.dirty() && !m_document.title().isEmpty());
}

}  // namespace overlane
