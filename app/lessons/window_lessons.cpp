#include "app/lessons/window_lessons.h"

#include <QDockWidget>
#include <QEvent>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include "app/lessons/explainer.h"
#include "app/lessons/lesson_handout.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_progress.h"
#include "app/timeline/timeline_view.h"
#include "app/ui/laboratory_room.h"
#include "app/ui/main_window.h"
#include "app/ui/text.h"

namespace overlane
{

namespace
{
constexpr int kMessageMs = 8000;
constexpr int kSizeTries = 8;
constexpr int kSizeTryMs = 40;
}  // namespace

WindowLessons::WindowLessons(MainWindow* window, bool remember)
    : QObject(window),
      m_window(window),
      m_settings(remember ? std::make_unique<QSettings>() : nullptr),
      m_progress(new LessonProgress(m_settings.get(), this)),
      m_stack(window->pages()),
      m_usual(m_stack->currentWidget()),
      m_page(new LessonPage(m_progress, m_stack)),
      m_explainer(new Explainer(window, [this](const QString& key) {
          const ShelvedLesson found = m_page->list()->find(key);
          return found.lesson != nullptr ? text(found.lesson->title) : QString();
      }))
{
    m_page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);  // until it is shown
    m_stack->addWidget(m_page);
    window->installEventFilter(this);
    addMenu();
    connect(window, &MainWindow::lessonRequested, this, &WindowLessons::show);
    connect(m_explainer, &Explainer::lessonRequested, this, &WindowLessons::show);
    connect(m_page, &LessonPage::closeRequested, this, &WindowLessons::leave);
    connect(m_page, &LessonPage::presentingChanged, this, &WindowLessons::present);
    connect(m_page, &LessonPage::handoutRequested, this, &WindowLessons::askForHandout);
    connect(m_page, &LessonPage::laboratoryRequested, this, &WindowLessons::toLaboratory);
    connect(m_page, &LessonPage::folderRequested, this, [this] {
        const QString folder = m_chooser.toFolder(m_window, tr("Open a folder of lessons"), m_progress->folder());
        if (!folder.isEmpty())
            openFolder(folder);
    });
    Document* document = window->document();
    connect(document, &Document::opened, this, &WindowLessons::leave);
    connect(document->gpuRuns(), &GpuRuns::supportChanged, this, &WindowLessons::offerEngines);
    connect(document, &Document::engineChanged, this,
            [this, document] { m_page->runOnGpu(document->engine() == Document::Engine::Gpu); });
    offerEngines();
}

WindowLessons::~WindowLessons()
{
    m_window->removeEventFilter(this);
}

void WindowLessons::addMenu()
{
    auto* menu = m_window->menuBar()->findChild<QMenu*>(QStringLiteral("helpMenu"));
    auto* action = new QAction(tr("&Lessons"), m_window);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    action->setStatusTip(tr("Predict, run, see: why copies hide or do not, a quarter of an hour each"));
    action->setObjectName("lessonsAction");
    connect(action, &QAction::triggered, this, [this] { show(); });
    auto* explain = new QAction(tr("&Explain what has the focus"), m_window);
    explain->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F1));
    explain->setStatusTip(tr("A sentence about the thing the keyboard is on, and the lesson that shows it"));
    connect(explain, &QAction::triggered, m_explainer, &Explainer::explainFocused);
    menu->insertActions(menu->actions().value(1), {action, explain});
}

bool WindowLessons::shown() const
{
    return m_stack->currentWidget() == m_page;
}

void WindowLessons::show(const QString& key)
{
    enter();
    if (key.isEmpty())
        m_page->showList();
    else if (!m_page->openLesson(key))
        m_page->showError(tr("There is no lesson \u201c%1\u201d; these are there.").arg(key));
}

void WindowLessons::enter()
{
    if (shown())
        return;
    m_layout = m_window->saveState();
    for (QDockWidget* dock : m_window->findChildren<QDockWidget*>())
        dock->hide();
    for (QToolBar* bar : m_window->findChildren<QToolBar*>())
        bar->hide();
    setMenusEnabled(false);
    m_stack->setCurrentWidget(m_page);
}

void WindowLessons::leave()
{
    if (!shown())
        return;
    m_page->setPresenting(false);
    m_stack->setCurrentWidget(m_usual);
    setMenusEnabled(true);
    m_window->restoreState(m_layout);
    m_window->laboratoryRoom()->settle();  // a trace that was opened may be the reason
    m_page->session()->cancel();
    m_window->timeline()->setFocus();
}

// What edits or moves the trace would do so unseen; themes stay.
void WindowLessons::setMenusEnabled(bool enabled)
{
    for (QAction* action : std::exchange(m_disabled, {}))
        action->setEnabled(true);
    if (enabled)
        return;
    const auto menu = [this](const char* name) { return m_window->menuBar()->findChild<QMenu*>(QLatin1String(name)); };
    // With all its keys: undo is switched on and off by its history.
    m_disabled << menu("editMenu")->menuAction();
    for (QAction* action : menu("viewMenu")->actions())
        if (action->menu() == nullptr && !action->isSeparator() && action->isEnabled())
            m_disabled << action;
    for (QAction* action : std::as_const(m_disabled))
        action->setEnabled(false);
}

void WindowLessons::offerEngines()
{
    Document* document = m_window->document();
    const std::optional<GpuSupport>& support = document->gpuRuns()->support();
    LessonGpu gpu;
    if (support && support->state == GpuSupport::State::Ready) {
        gpu.name = document->gpuRuns()->deviceName();
        MeasuredRunOptions options;
        options.device = document->gpuRuns()->device();
        gpu.engine = gpuLessonEngine(options);
    }
    m_page->setGpu(gpu);
    m_page->runOnGpu(document->engine() == Document::Engine::Gpu);
}

void WindowLessons::present(bool presenting)
{
    m_window->menuBar()->setVisible(!presenting);
    m_window->statusBar()->setVisible(!presenting);
    if (!m_window->isVisible())
        return;
    if (presenting) {
        m_states = m_window->windowState();
        m_geometry = m_window->geometry();
        m_window->setWindowState(m_states | Qt::WindowFullScreen);
        return;
    }
    m_window->setWindowState(m_states);
    if (m_states != Qt::WindowNoState)
        return;
    takeSizeAgain(kSizeTries);
}

// What the room saw is large: until one layout later its least size keeps the window manager from making the window
// as small as it was, and when the manager ends the full screen it does not say.
void WindowLessons::takeSizeAgain(int tries)
{
    QTimer::singleShot(kSizeTryMs, this, [this, tries] {
        if (m_window->windowState() != Qt::WindowNoState || m_page->presenting())
            return;
        if (m_window->size() != m_geometry.size())
            m_window->setGeometry(m_geometry);
        if (tries > 1)
            takeSizeAgain(tries - 1);
    });
}

void WindowLessons::openFolder(const QString& folder)
{
    m_page->list()->openFolder(folder);
    show();
}

void WindowLessons::askForHandout(bool pdf)
{
    const Lesson* lesson = m_page->session()->lesson();
    if (lesson == nullptr || !m_page->session()->result())
        return;
    const QString suffix = pdf ? QStringLiteral(".pdf") : QStringLiteral(".html");
    QString path = m_chooser.toSave(m_window, tr("Export the handout"), text(lesson->key) + suffix,
                                    pdf ? tr("PDF (*.pdf)") : tr("HTML (*.html)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(suffix, Qt::CaseInsensitive))
        path += suffix;
    if (writeHandout(path, pdf))
        m_window->statusBar()->showMessage(tr("Wrote %1").arg(path), kMessageMs);
}

bool WindowLessons::writeHandout(const QString& path, bool pdf)
{
    const auto& result = m_page->session()->result();
    if (!result)
        return false;
    const Result<void> written = pdf ? writePdfHandout(*result, path) : writeHtmlHandout(*result, path);
    if (!written.ok())
        m_page->showError(text(written.error()));
    return written.ok();
}

void WindowLessons::toLaboratory(const Laboratory::State& state, const QString& title)
{
    Document* document = m_window->document();
    if (document->dirty()) {
        m_page->showError(
            tr("The trace that is open has notes that are not saved; save them (Ctrl+S) before its place is taken."));
        return;
    }
    leave();
    if (document->trace())
        document->keepAsBaseline();
    document->setEngine(Document::Engine::Simulated);
    document->laboratory()->takeOver(state, title);
    document->simulate();  // also where these are the settings it has already
}

bool WindowLessons::eventFilter(QObject* watched, QEvent* event)
{
    // The window keeps its layout when it closes: that of its docks, not of a lesson.
    if (watched == m_window && event->type() == QEvent::Close)
        leave();
    return QObject::eventFilter(watched, event);
}

}  // namespace overlane
