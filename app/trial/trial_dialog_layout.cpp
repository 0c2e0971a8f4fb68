// The parts of TrialDialog: what stands where and what it is for.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/trial/trial_answer_page.h"
#include "app/trial/trial_dialog.h"
#include "app/trial/trial_form.h"
#include "app/widgets/data_table.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/screen_room.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr QSize kFirstSize{960, 740};
constexpr int kLeastBodyPx = 160;

// Where the screen is too low for the whole, it is scrolled; the buttons below stay.
QScrollArea* scrolled(QWidget* content, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

}  // namespace

TrialDialog::TrialDialog(Document* document, QWidget* parent)
    : QDialog(parent),
      m_warning(new MarkedLabel(this)),
      m_form(new TrialForm(this)),
      m_error(new QLabel(this)),
      m_start(new QPushButton(this)),
      m_cancel(new QPushButton(this)),
      m_progress(new QProgressBar(this)),
      m_time(new QLabel(this)),
      m_now(new QLabel(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new QLabel(this)),
      m_tabs(new QTabWidget(this)),
      m_runs(new DataTable(u"trialRuns"_s, &m_cells, this)),
      m_answer(new TrialAnswerPage(document, this))
{
    setObjectName("trialDialog");
    connect(m_runs, &DataTable::failed, document, &Document::failed);
    setWindowTitle(u"Try settings"_s);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scrolled(makeBody(), this), 1);
    column->addWidget(makeFoot());
    resize(withinScreen(*this, kFirstSize));

    connect(m_start, &QPushButton::clicked, this, &TrialDialog::start);
    connect(m_form, &TrialForm::changed, this, [this] { m_empty->setText(emptyText()); });
    connect(m_cancel, &QPushButton::clicked, &m_run, &TrialRun::cancel);
    connect(&m_tick, &QTimer::timeout, this, &TrialDialog::showTime);
    connect(&m_run, &TrialRun::runningChanged, this, &TrialDialog::showRunning);
    connect(&m_run, &TrialRun::told, this, &TrialDialog::take);
    connect(&m_run, &TrialRun::said, this, [this](const QString& line) {
        if (line.isEmpty())
            return;
        m_now->setText(line);
        m_said << line;
    });
    connect(&m_run, &TrialRun::finished, this, [this](const TrialAnswer& answer) {
        m_answer->show(answer, m_said);
        showEnd();
    });
    connect(&m_run, &TrialRun::cancelledEarly, this, [this] {
        m_answer->showCancelled();
        showEnd();
    });
    connect(&m_run, &TrialRun::failed, this, [this](const QString& words) {
        m_answer->showFailure(words,
                              u"Nothing of the program was changed. Correct the command or the folder above "
                              "and start again; a terminal shows whether it runs by itself."_s);
        showEnd();
    });
    showRunning();
    refresh();
}

TrialDialog::~TrialDialog()
{
    m_run.disconnect(this);
}

QWidget* TrialDialog::makeBody()
{
    m_warning->setObjectName("trialWarning");
    m_warning->setAccessibleName(u"What to know first"_s);
    m_warning->setText(
        u"<b>The program is run again and again, and what it writes it writes in every run</b>: logs, checkpoints, "
        "uploads, entries in a tracker of experiments. Switch that off, or let it run in another folder. Each run "
        "has other settings of its DataLoader and is ended behind a stretch of batches; the program's files stay "
        "as they are."_s);
    m_error->setObjectName("trialError");
    m_error->setAccessibleName(u"Error"_s);
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty->setObjectName("trialEmpty");
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(24);
    m_tabs->setObjectName("trialTabs");
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(u"Runs and answer"_s);
    m_tabs->addTab(m_runs, u"R&uns"_s);
    m_tabs->addTab(m_answer, u"&Answer"_s);
    m_runs->setAccessibleName(u"Runs so far"_s);
    m_runs->horizontalHeader()->setStretchLastSection(false);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_tabs);
    m_stack->setMinimumHeight(kLeastBodyPx);

    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(m_warning);
    column->addWidget(m_form);
    column->addWidget(m_error);
    makeRunning(column);
    column->addWidget(m_stack, 1);
    return body;
}

void TrialDialog::makeRunning(QVBoxLayout* column)
{
    m_start->setObjectName("trialStart");
    m_start->setDefault(true);
    m_start->setToolTip(u"Runs the program as it is, then with other settings in turns."_s);
    m_cancel->setObjectName("trialCancel");
    m_cancel->setAutoDefault(false);
    m_cancel->setToolTip(u"Ends the run under way, and shows what is known so far."_s);
    m_progress->setObjectName("trialProgress");
    m_progress->setAccessibleName(u"Spent of the budget"_s);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(8);
    m_time->setObjectName("trialTime");
    m_time->setAccessibleName(u"Time so far"_s);
    m_now->setObjectName("trialNow");
    m_now->setAccessibleName(u"What happens now"_s);
    m_now->setWordWrap(true);
    m_now->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    row->addWidget(m_start);
    row->addWidget(m_cancel);
    row->addWidget(m_progress, 1);
    row->addWidget(m_time);
    row->addStretch(0);
    column->addLayout(row);
    column->addWidget(m_now);
}

QWidget* TrialDialog::makeFoot()
{
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    auto* help = new QPushButton(u"&Help"_s, foot);
    help->setObjectName("trialHelp");
    help->setToolTip(u"What is tried, what is timed, and when it is called faster."_s);
    auto* close = new QPushButton(u"C&lose"_s, foot);
    close->setObjectName("trialClose");
    for (QPushButton* button : {help, close})
        button->setAutoDefault(false);
    row->addWidget(help);
    row->addStretch(1);
    row->addWidget(close);
    connect(help, &QPushButton::clicked, this, [this] { emit helpRequested(u"trying"_s); });
    connect(close, &QPushButton::clicked, this, &TrialDialog::reject);
    return foot;
}

}  // namespace overlane
