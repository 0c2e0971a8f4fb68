#include "app/recording/record_bar.h"

#include <cstring>

#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/theme/code_font.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kOutputPx = 150;
constexpr int kMostOutputLines = 5000;
constexpr qint64 kMostReadBytes = qint64{256} * 1024;  // at a time; what a program says faster is skipped

QString stateText(RecordSession::State state)
{
    switch (state) {
        case RecordSession::State::Waiting:
            return RecordBar::tr("Waiting to record");
        case RecordSession::State::Recording:
            return RecordBar::tr("Recording");
        case RecordSession::State::Stopped:
        case RecordSession::State::Ended:
            break;
    }
    return RecordBar::tr("Finishing");
}

QString countsText(const RecordingTotals& totals)
{
    QString line = RecordBar::tr("%1 kernels, %2 copies of %3")
                       .arg(text(formatCount(totals.kernels)), text(formatCount(totals.copies)),
                            text(formatBytes(totals.copyBytes)));
    if (totals.pinnedBytes > 0)
        line += RecordBar::tr(", %1 pinned").arg(text(formatBytes(static_cast<std::int64_t>(totals.pinnedBytes))));
    if (totals.dropped > 0)
        line += RecordBar::tr(", %1 records dropped").arg(text(formatCount(static_cast<std::int64_t>(totals.dropped))));
    return line;
}

}  // namespace

QString endText(const ProgramEnd& end)
{
    if (end.signal != 0)
        return RecordBar::tr("The program was ended by signal %1 (%2)")
            .arg(end.signal)
            .arg(QString::fromLocal8Bit(strsignal(end.signal)));
    if (end.exitCode != 0)
        return RecordBar::tr("The program ended with exit code %1").arg(end.exitCode);
    return RecordBar::tr("The program ended");
}

RecordBar::RecordBar(Recorder* recorder, QWidget* parent)
    : QFrame(parent),
      m_recorder(recorder),
      m_mark(new QLabel(QStringLiteral("●"), this)),
      m_text(new QLabel(this)),
      m_warning(new QLabel(this)),
      m_stop(new QPushButton(tr("Stop recording"), this)),
      m_kill(new QPushButton(this)),
      m_open(new QPushButton(tr("Open"), this)),
      m_details(new QToolButton(this)),
      m_close(new QToolButton(this)),
      m_output(new QPlainTextEdit(this))
{
    setObjectName("recordBar");
    m_mark->setObjectName("recordMark");
    m_text->setObjectName("recordText");
    m_warning->setObjectName("recordWarning");
    m_stop->setObjectName("recordStop");
    m_kill->setObjectName("recordEnd");
    m_open->setObjectName("recordOpen");
    m_details->setObjectName("recordDetails");
    m_output->setObjectName("recordOutput");
    for (QLabel* label : {m_text, m_warning}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
    }
    m_stop->setToolTip(tr("Completes the trace now; the program continues, unrecorded."));
    m_open->setToolTip(tr("Shows the recording in this window."));
    m_details->setText(tr("Output"));
    m_details->setCheckable(true);
    m_details->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_details->setArrowType(Qt::RightArrow);
    m_details->setToolTip(tr("What the program writes on its standard output and error."));
    m_close->setText(QStringLiteral("✕"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close the line about the recording"));
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostOutputLines);
    showAsCode(m_output);
    m_output->setFixedHeight(kOutputPx);
    m_output->setAccessibleName(tr("Output of the program"));
    m_output->hide();

    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_text);
    words->addWidget(m_warning);
    auto* line = new QHBoxLayout;
    line->addWidget(m_mark);
    line->addLayout(words, 1);
    for (QWidget* button : std::initializer_list<QWidget*>{m_details, m_open, m_stop, m_kill, m_close})
        line->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 4, 6, 4);
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_output);

    connect(m_stop, &QPushButton::clicked, recorder, &Recorder::stopRecording);
    connect(m_kill, &QPushButton::clicked, this, [this] {
        m_recorder->endProgram();
        m_kill->setText(tr("Kill program"));
        m_kill->setToolTip(tr("The program was asked to end (SIGINT). This ends it at once (SIGKILL)."));
    });
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_recorder->file()); });
    connect(m_details, &QToolButton::toggled, this, &RecordBar::showOutput);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(recorder, &Recorder::started, this, &RecordBar::begin);
    connect(recorder, &Recorder::progressed, this, &RecordBar::show);
    connect(recorder, &Recorder::warned, this, &RecordBar::addWarning);
    connect(recorder, &Recorder::finished, this, &RecordBar::end);
    connect(recorder, &Recorder::programEnded, this, [this](const ProgramEnd& end) {
        m_text->setText(tr("%1. The recording of its beginning is in %2.")
                            .arg(endText(end), QFileInfo(m_recorder->file()).fileName()));
        readOutput();
        refreshButtons();
    });
    hide();
}

QString RecordBar::sentence() const
{
    return m_text->text();
}

QString RecordBar::warning() const
{
    return m_warning->text();
}

void RecordBar::begin()
{
    m_warned.clear();
    m_warning->hide();
    m_warning->clear();
    m_readBytes = 0;
    m_output->clear();
    m_details->setChecked(false);
    m_open->hide();
    m_kill->setText(tr("End program"));
    m_kill->setToolTip(tr("Asks the program to end, as Ctrl+C does (SIGINT)."));
    m_text->setText(tr("The program starts …"));
    refreshButtons();
    dress();
    QFrame::show();
}

void RecordBar::show(const RecorderStatus& status)
{
    const QString what = status.totals.processes == 0 && status.state == RecordSession::State::Recording
                             ? tr("no process uses CUDA yet")
                             : countsText(status.totals);
    m_text->setText(QStringLiteral("%1 · %2 · %3").arg(stateText(status.state), durationText(status.elapsedNs), what));
    if (m_output->isVisible())
        readOutput();
}

void RecordBar::end(const RecorderOutcome& outcome)
{
    const QString file = QFileInfo(outcome.file).fileName();
    QString line = outcome.program ? endText(*outcome.program) : tr("The program continues, unrecorded");
    if (outcome.error.isEmpty())
        line += tr(". %1 in %2.").arg(countsText(outcome.totals), file);
    else
        line += '.';
    m_text->setText(line);
    for (const QString& warning : outcome.warnings)
        addWarning(warning);
    if (!outcome.error.isEmpty())
        addWarning(outcome.error);
    else if (outcome.totals.kernels == 0 && outcome.totals.copies == 0 && outcome.totals.hindered == 0)
        addWarning(tr("No GPU activity was recorded: no process of the program used the GPU."));
    // A program that failed has said why.
    if (outcome.program && (outcome.program->exitCode != 0 || outcome.program->signal != 0))
        m_details->setChecked(true);
    readOutput();
    refreshButtons();
    dress();
}

void RecordBar::addWarning(const QString& sentence)
{
    if (m_warned.contains(sentence))
        return;
    m_warned << sentence;
    m_warning->setText(m_warned.join('\n'));
    m_warning->show();
}

void RecordBar::offerToOpen(bool offered)
{
    m_open->setVisible(offered);
}

void RecordBar::retire()
{
    if (m_recorder->phase() == Recorder::Phase::Idle && m_open->isHidden())
        hide();
}

void RecordBar::refreshButtons()
{
    m_stop->setVisible(m_recorder->recording());
    m_kill->setVisible(m_recorder->phase() != Recorder::Phase::Idle);
    m_close->setVisible(!m_recorder->recording());
    m_mark->setVisible(m_recorder->recording());
}

void RecordBar::showOutput(bool shown)
{
    m_details->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    m_output->setVisible(shown);
    if (shown)
        readOutput();
}

void RecordBar::readOutput()
{
    QFile file(m_recorder->log());
    if (!file.open(QIODevice::ReadOnly))
        return;
    if (file.size() - m_readBytes > kMostReadBytes) {
        m_output->appendPlainText(tr("[…]\n"));
        m_readBytes = file.size() - kMostReadBytes;
    }
    file.seek(m_readBytes);
    const QByteArray bytes = file.readAll();
    if (bytes.isEmpty())
        return;
    m_readBytes += bytes.size();
    m_output->moveCursor(QTextCursor::End);
    m_output->insertPlainText(QString::fromLocal8Bit(bytes));
    m_output->moveCursor(QTextCursor::End);
}

void RecordBar::dress()
{
    // Of the application: this bar's own palette holds the ground it was given before.
    const Palette& colours = Palette::current(QApplication::palette());
    const QString sheet =
        QStringLiteral(
            "#recordBar { background: %1; border-bottom: 1px solid %2; } #recordMark { color: %3; } "
            "#recordWarning { color: %4; }")
            .arg(colours.panel.name(), colours.border.name(), colours.error.name(), colours.warning.name());
    if (sheet != styleSheet())  // setting it leads here again
        setStyleSheet(sheet);
}

void RecordBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        dress();
}

}  // namespace overlane
