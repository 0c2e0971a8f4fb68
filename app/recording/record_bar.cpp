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
#include "core/base/counted.h"

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
            return u"Waiting to record"_s;
        case RecordSession::State::Recording:
            return u"Recording"_s;
        case RecordSession::State::Stopped:
        case RecordSession::State::Ended:
            break;
    }
    return u"Finishing"_s;
}

QString countsText(const RecordingTotals& totals)
{
    QString line =
        u"%1, %2 of %3"_s.arg(text(counted(totals.kernels, "kernel")), text(counted(totals.copies, "copy", "copies")),
                              text(formatBytes(totals.copyBytes)));
    if (totals.pinnedBytes > 0)
        line += u", %1 pinned"_s.arg(text(formatBytes(static_cast<std::int64_t>(totals.pinnedBytes))));
    if (totals.dropped > 0)
        line += u", %1 dropped"_s.arg(text(counted(static_cast<std::int64_t>(totals.dropped), "record")));
    return line;
}

}  // namespace

QString endText(const ProgramEnd& end)
{
    if (end.signal != 0)
        return u"The program was ended by signal %1 (%2)"_s.arg(end.signal)
            .arg(QString::fromLocal8Bit(strsignal(end.signal)));
    if (end.exitCode != 0)
        return u"The program ended with exit code %1"_s.arg(end.exitCode);
    return u"The program ended"_s;
}

RecordBar::RecordBar(Recorder* recorder, QWidget* parent)
    : TintedBar(parent),
      m_recorder(recorder),
      m_mark(new QLabel(u"●"_s, this)),
      m_text(new QLabel(this)),
      m_warning(new QLabel(this)),
      m_stop(new QPushButton(u"Stop recording"_s, this)),
      m_kill(new QPushButton(this)),
      m_open(new QPushButton(u"Open"_s, this)),
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
    m_open->setToolTip(u"Shows the recording in this window."_s);
    m_details->setText(u"Output"_s);
    m_details->setCheckable(true);
    m_details->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_details->setArrowType(Qt::RightArrow);
    m_details->setToolTip(u"What the program writes on its standard output and error."_s);
    m_close->setText(u"✕"_s);
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(u"Close the line about the recording"_s);
    m_output->setReadOnly(true);
    m_output->setMaximumBlockCount(kMostOutputLines);
    showAsCode(m_output);
    m_output->setFixedHeight(kOutputPx);
    m_output->setAccessibleName(u"Output of the program"_s);
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

    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (m_recorder->host().isEmpty() || m_recorder->following())
            m_recorder->stopRecording();
        else
            m_recorder->cancelStep();
    });
    connect(m_kill, &QPushButton::clicked, this, [this] {
        m_recorder->endProgram();
        m_kill->setText(u"Kill program"_s);
        m_kill->setToolTip(u"The program was asked to end (SIGINT). This ends it at once (%1)."_s.arg(
            m_recorder->host().isEmpty() ? u"SIGKILL"_s : u"SIGTERM"_s));
    });
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_recorder->file()); });
    connect(m_details, &QToolButton::toggled, this, &RecordBar::showOutput);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(recorder, &Recorder::started, this, &RecordBar::begin);
    connect(recorder, &Recorder::stepped, this, &RecordBar::showStep);
    connect(recorder, &Recorder::progressed, this, &RecordBar::show);
    connect(recorder, &Recorder::warned, this, &RecordBar::addWarning);
    connect(recorder, &Recorder::finished, this, &RecordBar::end);
    connect(recorder, &Recorder::programEnded, this, [this](const ProgramEnd& end) {
        m_text->setText(u"%1. The recording of its beginning is in %2."_s.arg(
            endText(end), QFileInfo(m_recorder->file()).fileName()));
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
    m_kill->setText(u"End program"_s);
    m_kill->setToolTip(u"Asks the program to end, as Ctrl+C does (SIGINT)."_s);
    const QString host = m_recorder->host();
    m_stop->setText(host.isEmpty() ? u"Stop recording"_s : u"Leave it there"_s);
    m_stop->setToolTip(host.isEmpty() ? u"Completes the trace now; the program continues, unrecorded."_s
                                      : u"Ends the connection. The program continues on %1 and is recorded to its "
                                        "end; its trace can be brought then."_s.arg(host));
    m_text->setText(host.isEmpty() ? u"The program starts …"_s : u"The program starts on %1 …"_s.arg(host));
    refreshButtons();
    dress();
    TintedBar::show();
}

// Behind the program's end on another machine.
void RecordBar::showStep(const QString& sentence)
{
    if (m_recorder->phase() != Recorder::Phase::Recording)
        return;
    m_text->setText(sentence);
    m_stop->setText(u"Cancel"_s);
    m_stop->setToolTip(u"The trace stays on %1 and can be brought later."_s.arg(m_recorder->host()));
    m_kill->hide();
    readOutput();
}

void RecordBar::show(const RecorderStatus& status)
{
    if (!status.words.isEmpty()) {
        m_text->setText(u"%1 · %2"_s.arg(status.words, m_recorder->host()));
        if (m_output->isVisible())
            readOutput();
        return;
    }
    const QString what = status.totals.processes == 0 && status.state == RecordSession::State::Recording
                             ? u"no process uses CUDA yet"_s
                             : countsText(status.totals);
    m_text->setText(u"%1 · %2 · %3"_s.arg(stateText(status.state), durationText(status.elapsedNs), what));
    if (m_output->isVisible())
        readOutput();
}

void RecordBar::end(const RecorderOutcome& outcome)
{
    const QString file = QFileInfo(outcome.file).fileName();
    const bool here = outcome.host.isEmpty();
    QString line = outcome.program ? endText(*outcome.program)
                   : here          ? u"The program continues, unrecorded"_s
                                   : u"The trace from %1 is not here"_s.arg(outcome.host);
    if (outcome.error.isEmpty() && !here)
        line += u". The trace from %1 is %2."_s.arg(outcome.host, file);
    else if (outcome.error.isEmpty())
        line += u". %1 in %2."_s.arg(countsText(outcome.totals), file);
    else
        line += '.';
    m_text->setText(line);
    for (const QString& warning : outcome.warnings)
        addWarning(warning);
    if (!outcome.error.isEmpty())
        addWarning(outcome.error);
    else if (here && outcome.totals.kernels == 0 && outcome.totals.copies == 0 && outcome.totals.hindered == 0)
        addWarning(u"No GPU activity was recorded: no process of the program used the GPU."_s);
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
        m_output->appendPlainText(u"[…]\n"_s);
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
    const Palette& colors = Palette::current(QApplication::palette());
    tint(colors.panel, colors.text);
    drawEdge(Edge::Bottom, 1, colors.border);
    setInk(m_mark, colors.error);
    setInk(m_warning, colors.warning);
}

void RecordBar::changeEvent(QEvent* event)
{
    TintedBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        dress();
}

}  // namespace overlane
