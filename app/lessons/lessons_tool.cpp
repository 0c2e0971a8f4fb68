#include "app/lessons/lessons_tool.h"

#include "app/lessons/explainer.h"
#include "app/lessons/lesson_handout.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lesson_progress.h"
#include "app/session/document.h"
#include "app/session/gpu_runs.h"
#include "app/session/shell.h"
#include "app/widgets/text.h"

namespace overlane
{

LessonsTool::LessonsTool(Shell* shell, bool remember)
    : QObject(shell->window()),
      m_shell(shell),
      m_settings(remember ? std::make_unique<QSettings>() : nullptr),
      m_progress(new LessonProgress(m_settings.get(), this)),
      m_explainer(new Explainer(shell->window(), [this](const QString& key) {
          const ShelvedLesson found = page()->list()->find(key);
          return found.lesson != nullptr ? text(found.lesson->title) : QString();
      }))
{
    addMenu();
    connect(shell, &Shell::lessonRequested, this, &LessonsTool::show);
    connect(shell, &Shell::closing, this, &LessonsTool::leave);
    connect(m_explainer, &Explainer::lessonRequested, this, &LessonsTool::show);
    Document* document = shell->document();
    connect(document, &Document::opened, this, &LessonsTool::leave);
    connect(document->gpuRuns(), &GpuRuns::supportChanged, this, &LessonsTool::offerEngines);
    connect(document, &Document::engineChanged, this, [this, document] {
        if (m_page != nullptr)
            m_page->runOnGpu(document->engine() == Document::Engine::Gpu);
    });
}

LessonPage* LessonsTool::page()
{
    if (m_page == nullptr)
        makePage();
    return m_page;
}

void LessonsTool::makePage()
{
    m_page = new LessonPage(m_progress, m_shell->window());
    m_shell->addPage(m_page);
    connect(m_page, &LessonPage::closeRequested, this, &LessonsTool::leave);
    connect(m_page, &LessonPage::presentingChanged, m_shell, &Shell::setFullScreen);
    connect(m_page, &LessonPage::handoutRequested, this, &LessonsTool::askForHandout);
    connect(m_page, &LessonPage::laboratoryRequested, this, &LessonsTool::toLaboratory);
    connect(m_page, &LessonPage::folderRequested, this, [this] {
        const QString folder =
            m_chooser.toFolder(m_shell->window(), u"Open a folder of lessons"_s, m_progress->folder());
        if (!folder.isEmpty())
            openFolder(folder);
    });
    offerEngines();
}

void LessonsTool::addMenu()
{
    m_shell->addEntry(Shell::Menu::Help,
                      {.label = u"&Lessons"_s,
                       .meaning = u"Predict, run, see: why copies hide or do not, a quarter of an hour each"_s,
                       .keys = Qt::CTRL | Qt::Key_L,
                       .objectName = u"lessonsAction"_s},
                      [this] { show(); });
    m_shell->addEntry(Shell::Menu::Help,
                      {.label = u"&Explain what has the focus"_s,
                       .meaning = u"A sentence about the thing the keyboard is on, and the lesson that shows it"_s,
                       .keys = Qt::SHIFT | Qt::Key_F1},
                      [this] { m_explainer->explainFocused(); });
}

bool LessonsTool::shown() const
{
    return m_page != nullptr && m_shell->page() == m_page;
}

void LessonsTool::show(const QString& key)
{
    if (!shown())
        m_shell->showPage(page());
    if (key.isEmpty())
        m_page->showList();
    else if (!m_page->openLesson(key))
        m_page->showError(u"There is no lesson \u201c%1\u201d; these are there."_s.arg(key));
}

void LessonsTool::leave()
{
    if (!shown())
        return;
    m_page->setPresenting(false);
    m_shell->leavePage();
    m_page->session()->cancel();
}

void LessonsTool::offerEngines()
{
    if (m_page == nullptr)
        return;
    Document* document = m_shell->document();
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

void LessonsTool::openFolder(const QString& folder)
{
    page()->list()->openFolder(folder);
    show();
}

void LessonsTool::askForHandout(bool pdf)
{
    const Lesson* lesson = page()->session()->lesson();
    if (lesson == nullptr || !m_page->session()->result())
        return;
    const QString suffix = pdf ? u".pdf"_s : u".html"_s;
    QString path = m_chooser.toSave(m_shell->window(), u"Export the handout"_s, text(lesson->key) + suffix,
                                    pdf ? u"PDF (*.pdf)"_s : u"HTML (*.html)"_s);
    if (path.isEmpty())
        return;
    if (!path.endsWith(suffix, Qt::CaseInsensitive))
        path += suffix;
    if (writeHandout(path, pdf))
        m_shell->say(u"Wrote %1"_s.arg(path));
}

bool LessonsTool::writeHandout(const QString& path, bool pdf)
{
    const auto& result = page()->session()->result();
    if (!result)
        return false;
    const Result<void> written = pdf ? writePdfHandout(*result, path) : writeHtmlHandout(*result, path);
    if (!written.ok())
        m_page->showError(text(written.error()));
    return written.ok();
}

void LessonsTool::toLaboratory(const Laboratory::State& state, const QString& title)
{
    Document* document = m_shell->document();
    if (document->dirty()) {
        m_page->showError(
            u"The trace that is open has notes that are not saved; save them (Ctrl+S) before its place is taken."_s);
        return;
    }
    leave();
    if (document->trace())
        document->keepAsBaseline();
    document->setEngine(Document::Engine::Simulated);
    document->laboratory()->takeOver(state, title);
    document->simulate();  // also where these are the settings it has already
}

}  // namespace overlane
