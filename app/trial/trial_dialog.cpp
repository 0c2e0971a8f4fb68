#include "app/trial/trial_dialog.h"

#include <algorithm>

#include <QHeaderView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabWidget>

#include "app/theme/palette.h"
#include "app/trial/budget_box.h"
#include "app/trial/trial_answer_page.h"
#include "app/trial/trial_form.h"
#include "app/widgets/data_table.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/text.h"
#include "app/widgets/tinted_bar.h"

namespace overlane
{

namespace
{

constexpr int kTickMs = 200;

}  // namespace

void TrialDialog::refresh()
{
    if (m_run.running())
        return;
    const bool there = !m_run.program().isEmpty();
    m_empty->setText(emptyText());
    m_start->setEnabled(there);
    m_form->setEnabled(there);
    if (!there)
        showError(
            u"The program overlane, which tries the settings, is neither next to this one nor on the PATH: "
            "install it there, then open this again."_s);
    else
        showError({});
}

QString TrialDialog::emptyText() const
{
    if (m_run.program().isEmpty())
        return {};
    const bool python = !QStandardPaths::findExecutable(u"python3"_s).isEmpty() ||
                        !QStandardPaths::findExecutable(u"python"_s).isEmpty();
    if (!python)
        return u"There is no Python on the PATH that this window was started with. Write the whole path of the one "
               "with PyTorch, such as ~/venv/bin/python train.py, and press Start."_s;
    if (m_form->isEmpty())
        return u"Nothing has been tried yet. Write above how the program is started, as in a terminal, and press "
               "Start."_s;
    return u"Nothing has been tried yet. Look at the command above, switch off in it what must not be written again "
           "and again, and press Start."_s;
}

void TrialDialog::start()
{
    if (m_run.running())
        return;
    const QString hindrance = m_hindrance ? m_hindrance() : QString();
    const Result<TrialRequest> request = m_form->request();
    showError(!hindrance.isEmpty() ? hindrance : request.ok() ? QString() : text(request.error()));
    if (!hindrance.isEmpty() || !request.ok())
        return;
    m_ran = {"", {{"run", "run"}, {"setting", "setting", Column::Kind::Words}, {"time", "time"}}, {}};
    m_said.clear();
    m_answer->clear();
    showRuns();
    m_now->setText(u"Starting the program as it is …"_s);
    m_tabs->setTabEnabled(1, false);
    m_tabs->setCurrentIndex(0);
    m_stack->setCurrentWidget(m_tabs);
    m_run.start(request.value());
    emit started();
}

void TrialDialog::take(const TrialNews& news)
{
    if (!news.run) {
        m_now->setText(text(news.words));
        return;
    }
    const bool failed = news.run->batchNs == 0;
    m_ran.rows.push_back({{{std::to_string(news.run->number), news.run->number, Tone::Muted},
                           {news.run->setting},
                           {news.words, {}, failed ? Tone::Worse : Tone::Plain}},
                          ""});
    showRuns();
    m_now->setText(u"Each run is the program with other settings; the next is under way."_s);
}

void TrialDialog::showRuns()
{
    m_cells.set(m_ran);
    QHeaderView* header = m_runs->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(1, QHeaderView::Stretch);
    m_runs->scrollToBottom();
}

void TrialDialog::showRunning()
{
    const bool running = m_run.running();
    m_form->setReadOnly(running);
    m_start->setVisible(!running);
    m_start->setText(m_stack->currentWidget() == m_tabs ? u"&Start again"_s : u"&Start"_s);
    m_cancel->setVisible(running);
    m_cancel->setEnabled(!m_run.cancelling());
    m_cancel->setText(m_run.cancelling() ? u"Ending its run …"_s : u"&Cancel"_s);
    m_progress->setVisible(running);
    m_time->setVisible(running);
    m_now->setVisible(running);
    m_runs->setEmptyText(
        u"The first run finds the loader and is recorded, which takes longer than the others; "
        "then each run is a row here."_s);
    if (running) {
        m_tick.start(kTickMs);
        showTime();
        return;
    }
    m_tick.stop();
    if (m_question != nullptr)
        m_question->reject();  // there is nothing left to ask
}

void TrialDialog::showTime()
{
    const qint64 budgetMs = m_run.request().budgetSeconds * 1000;
    const qint64 elapsedMs = m_run.elapsedMs();
    m_progress->setRange(0, static_cast<int>(std::min<qint64>(budgetMs, 1'000'000'000)));
    m_progress->setValue(static_cast<int>(std::min(elapsedMs, budgetMs)));
    const QString spent = BudgetBox::clockText(elapsedMs / 1000);
    const QString budget = BudgetBox::clockText(budgetMs / 1000);
    m_time->setText(elapsedMs < budgetMs ? u"%1 of %2"_s.arg(spent, budget)
                                         : u"%1 of %2, the last run ends"_s.arg(spent, budget));
}

void TrialDialog::showEnd()
{
    m_tabs->setTabEnabled(1, true);
    m_tabs->setCurrentIndex(1);
    emit ended(m_answer->sentence());
}

void TrialDialog::showError(const QString& sentence)
{
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    dress();
}

QString TrialDialog::sentence() const
{
    return m_answer->sentence();
}

void TrialDialog::reject()
{
    if (m_run.running() && !m_run.cancelling())
        askBeforeClosing();
    else
        QDialog::reject();
}

void TrialDialog::askBeforeClosing()
{
    if (m_question != nullptr)
        return;
    auto* question = new QMessageBox(QMessageBox::Question, u"Settings are being tried"_s,
                                     u"The program is still run again and again. May that go on while this is "
                                     "closed?"_s,
                                     QMessageBox::NoButton, this);
    question->setObjectName("trialQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        u"Where it continues, Try it … in What if shows it again, and a line above the timeline says when it is "
        "through. It ends with the main window at the latest."_s);
    QPushButton* on = question->addButton(u"&Go on, closed"_s, QMessageBox::AcceptRole);
    on->setObjectName("trialGoOn");
    QPushButton* end = question->addButton(u"&End it"_s, QMessageBox::DestructiveRole);
    end->setObjectName("trialEnd");
    QPushButton* stay = question->addButton(u"&Keep open"_s, QMessageBox::RejectRole);
    stay->setObjectName("trialStay");
    question->setDefaultButton(stay);
    question->setEscapeButton(stay);
    connect(question, &QMessageBox::buttonClicked, this, [this, on, end](QAbstractButton* chosen) {
        if (chosen == end)
            m_run.cancel();
        if (chosen == on || chosen == end)
            QDialog::reject();
    });
    m_question = question;
    question->open();
}

void TrialDialog::dress()
{
    const Palette& colors = Palette::current(palette());
    m_warning->setMark(colors.warning);
    setInk(m_error, colors.error);
}

void TrialDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        dress();
}

}  // namespace overlane
