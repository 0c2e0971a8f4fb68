#include "app/laboratory/run_controls.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/widgets/text.h"
#include "core/base/counted.h"

namespace overlane
{

RunControls::RunControls(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_run(new QPushButton(u"&Run"_s, this)),
      m_both(new QPushButton(u"Run on &both"_s, this)),
      m_stop(new QPushButton(u"&Stop"_s, this)),
      m_force(new QCheckBox(u"&Allow pinning more RAM than is safe"_s, this)),
      m_status(new QLabel(this))
{
    m_run->setObjectName("run");
    m_both->setObjectName("runOnBoth");
    m_stop->setObjectName("stopRun");
    m_force->setObjectName("forceLock");
    m_status->setObjectName("runStatus");
    m_run->setToolTip(u"Runs these settings on this machine's GPU (Ctrl+R)."_s);
    m_both->setToolTip(
        u"Simulates these settings on the chosen profile, runs them on this machine's GPU, and shows the simulated "
        "run as A above the measured one."_s);
    m_stop->setToolTip(u"Ends the run under way and keeps what ran until then."_s);
    m_force->setToolTip(
        u"A run that would lock more than half of the available memory is refused. With this it is tried all the "
        "same; the rest of the machine may have to swap."_s);
    m_status->setWordWrap(true);

    auto* line = new QHBoxLayout;
    line->addWidget(m_run);
    line->addWidget(m_both);
    line->addWidget(m_stop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_force);
    column->addLayout(line);
    column->addWidget(m_status);

    GpuRuns* runs = document->gpuRuns();
    connect(m_run, &QPushButton::clicked, document, &Document::run);
    connect(m_both, &QPushButton::clicked, document, &Document::runOnBoth);
    connect(m_stop, &QPushButton::clicked, this, [this, runs] {
        m_stopping = true;
        runs->cancel();
        refresh();
    });
    connect(m_force, &QCheckBox::toggled, runs, &GpuRuns::setForce);
    connect(runs, &GpuRuns::progressed, this, &RunControls::show);
    connect(runs->worker(), &BackgroundWorker::busyChanged, this, [this] {
        m_stopping = false;
        m_counted.clear();
        refresh();
    });
    connect(document, &Document::traceChanged, this, &RunControls::refresh);
    connect(document->laboratory(), &Laboratory::changed, this, &RunControls::refresh);
    refresh();
}

void RunControls::refresh()
{
    const bool running = m_document->gpuRuns()->busy();
    m_run->setEnabled(!running);
    m_both->setEnabled(!running);
    m_stop->setEnabled(running && !m_stopping);
    m_force->setEnabled(!running);
    if (running && !m_stopping)
        m_status->setText(m_counted.isEmpty() ? u"Starting on the GPU …"_s : m_counted);
    else if (running)
        m_status->setText(u"Stopping; what ran is kept …"_s);
    else if (m_document->measuredAsSet())
        m_status->setText(u"Shown: these settings on %1."_s.arg(m_document->current().gpu));
    else if (m_document->current().partial && m_document->current().made &&
             m_document->current().made->scenario == m_document->laboratory()->scenario())
        m_status->setText(u"Partial run on %1, stopped."_s.arg(m_document->current().gpu));
    else
        m_status->setText(u"Not run yet with these settings: press Run."_s);
}

void RunControls::show(const GpuRunStatus& status)
{
    if (!m_document->gpuRuns()->busy())
        return;
    m_counted = u"%1 · %2, %3 so far"_s.arg(durationText(status.elapsedNs), text(counted(status.kernels, "kernel")),
                                            text(counted(status.copies, "copy", "copies")));
    refresh();
}

}  // namespace overlane
