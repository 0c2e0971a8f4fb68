// The status bar of MainWindow: what is shown, the work under way with its progress, and what was done.
#include <utility>

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include "app/shell/exporter.h"
#include "app/shell/main_window.h"
#include "app/shell/status_line.h"
#include "app/shell/trace_tabs.h"
#include "app/shell/window_shell.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/base/counted.h"

namespace overlane
{

namespace
{

constexpr int kProgressSteps = 1000;

}  // namespace

void MainWindow::makeStatusBar()
{
    m_status = new StatusLine(this);
    m_status->setContentsMargins(8, 0, 0, 0);
    m_workTitle = new QLabel(this);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName("progress");
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    m_progress->setAccessibleName(u"Progress"_s);
    m_cancel = new QToolButton(this);
    m_cancel->setText(u"Cancel"_s);
    m_cancel->setObjectName("cancel");
    m_cancel->setAccessibleName(u"Cancel the work under way"_s);
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancelWork);
    statusBar()->addWidget(m_status, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_workTitle, m_progress, m_cancel}) {
        statusBar()->addPermanentWidget(widget);
        widget->hide();
    }
    for (BackgroundWorker* worker : {m_document.files(), m_document.saver(), m_exporter->worker(),
                                     m_document.simulator(), m_document.gpuRuns()->worker()}) {
        connect(worker, &BackgroundWorker::busyChanged, this, &MainWindow::showWork);
        connect(worker, &BackgroundWorker::progressed, this, [this](double fraction) {
            m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
            showWork();
        });
    }
}

void MainWindow::sayOfTrace(const QString& sentence)
{
    m_saidOfTrace = sentence;
    m_toldTrace = m_document.trace();
    statusBar()->showMessage(sentence, kMessageMs);
}

void MainWindow::describeShown()
{
    if (m_shell != nullptr && m_shell->page() != nullptr)
        m_status->describe(m_shell->page()->windowTitle(), {}, {});
    else if (m_document.trace())
        describeTrace();
}

// What was said of the trace before is wrong beside another.
void MainWindow::describeTrace()
{
    const Trace& trace = *m_document.trace();
    const auto count = static_cast<std::int64_t>(trace.eventCount());
    const QString what = u"%1, %2"_s.arg(text(counted(count, "event")), durationText(trace.span().lengthNs()));
    QString remark;
    const AnalyzedTrace& current = m_document.current();
    if (!current.gpu.isEmpty() && current.partial)
        remark = m_document.gpuRuns()->busy() ? u".  Running on %1: measured so far."_s.arg(current.gpu)
                                              : u".  Partial run on %1, stopped."_s.arg(current.gpu);
    else if (!current.gpu.isEmpty())
        remark = u".  Measured on %1."_s.arg(current.gpu);
    else if (m_document.origin() == Document::Origin::Laboratory)
        remark = u".  Simulated: no GPU is needed."_s;
    else if (m_document.origin() == Document::Origin::Recording)
        remark = u".  Recorded so far."_s;
    m_status->describe(what, static_cast<std::int64_t>(trace.bytes() + current.pyramids->bytes()), remark);
}

QLabel* MainWindow::statusLine() const
{
    return m_status;
}

void MainWindow::showWork()
{
    // A run that ends within a tenth of a second shows nothing: bars that flash explain nothing.
    const BackgroundWorker* worker = m_document.files()->busy()     ? m_document.files()
                                     : m_document.saver()->busy()   ? m_document.saver()
                                     : m_exporter->worker()->busy() ? m_exporter->worker()
                                     : m_document.gpuRuns()->busy() ? m_document.gpuRuns()->worker()
                                                                    : m_document.simulator();
    // A real run takes as long as it takes.
    m_progress->setMaximum(worker == m_document.gpuRuns()->worker() ? 0 : kProgressSteps);
    const bool shown = worker != m_document.simulator() || (worker->busy() && m_progress->value() > 0);
    m_workTitle->setText(worker->title());
    m_timeline->setEmptyText(worker->busy() ? u"%1 …"_s.arg(worker->title())
                                            : u"Drop a trace here, open one with Ctrl+O, record a program with "
                                              "Ctrl+Shift+R, take a lesson with Ctrl+L, or turn a setting of the "
                                              "laboratory."_s);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_workTitle, m_progress, m_cancel})
        widget->setVisible(shown);
    if (!m_document.busy() && !m_exporter->worker()->busy())
        m_progress->setValue(0);
}

void MainWindow::cancelWork()
{
    const QString title = m_workTitle->text();
    m_document.cancel();
    m_exporter->worker()->cancel();
    m_tabs->keepAll();  // a save that is called off calls the end off
    sayOfTrace(u"Cancelled: %1"_s.arg(title));
}

}  // namespace overlane
