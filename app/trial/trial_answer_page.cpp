#include "app/trial/trial_answer_page.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "app/session/document.h"
#include "app/theme/code_font.h"
#include "app/theme/palette.h"
#include "app/widgets/data_table.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kLeastRows = 3;
constexpr int kMostRows = 8;
constexpr int kMostCodeLines = 10;
constexpr int kFramePx = 8;
constexpr int kLongestLine = 70;  // characters; longer ones may need a bar below
constexpr int kTableStretch = 1000;
const QString kPrintedLast = u" It printed last:"_s;

// The lines that a program printed come indented.
QString withoutIndent(const QString& printed)
{
    QStringList lines = printed.split('\n');
    for (QString& line : lines)
        if (line.startsWith(QLatin1String("  ")))
            line.remove(0, 2);
    return lines.join('\n');
}

QLabel* paragraph(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

TrialAnswerPage::TrialAnswerPage(Document* document, QWidget* parent)
    : QWidget(parent),
      m_sentence(new MarkedLabel(this)),
      m_about(paragraph("trialAbout", this)),
      m_table(new DataTable(u"trialSettings"_s, &m_cells, this)),
      m_change(makeChange()),
      m_remarks(paragraph("trialRemarks", this))
{
    setObjectName("trialAnswerPage");
    connect(m_table, &DataTable::failed, document, &Document::failed);
    m_sentence->setObjectName("trialSentence");
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setAccessibleName(u"Answer"_s);
    m_table->setAccessibleName(u"Settings that were tried, with their times"_s);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_remarks->setAccessibleName(u"Remarks"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_sentence);
    column->addWidget(m_about);
    column->addWidget(m_change);
    column->addWidget(m_table, kTableStretch);
    column->addWidget(m_remarks);
    column->addStretch(1);  // where there is no table
    clear();
}

QWidget* TrialAnswerPage::makeChange()
{
    auto* box = new QWidget(this);
    box->setObjectName("trialChange");
    m_changeTitle = new QLabel(box);
    m_copy = new QPushButton(u"Co&py"_s, box);
    m_copy->setObjectName("trialCopy");
    m_copy->setAccessibleName(u"Copy the lines to change"_s);
    m_copy->setAutoDefault(false);
    m_code = new QPlainTextEdit(box);
    m_code->setObjectName("trialCode");
    m_code->setAccessibleName(u"Code for the chosen settings"_s);
    m_code->setReadOnly(true);
    m_code->setTabChangesFocus(true);
    m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
    showAsCode(m_code);
    auto* head = new QHBoxLayout;
    head->addWidget(m_changeTitle, 1);
    head->addWidget(m_copy);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_code);
    connect(m_copy, &QPushButton::clicked, this, &TrialAnswerPage::copy);
    return box;
}

void TrialAnswerPage::show(const TrialAnswer& answer, const QStringList& said)
{
    say(text(answer.sentence), answer.answer                            ? Mark::Good
                               : answer.cancelled || answer.budgetSpent ? Mark::Unsure
                                                                        : Mark::Nothing);
    m_about->setText(text(aboutTrial(answer)));
    m_about->setVisible(!answer.loader.empty());
    fillTable(answer);
    showCode(u"What to change"_s, text(changeText(answer)), true);
    QStringList remarks;
    for (const std::vector<std::string>& sentences : {failuresOf(answer), answer.remarks})
        for (const std::string& remark : sentences)
            remarks << text(remark);
    remarks += said;
    m_remarks->setText(remarks.join(u"\n\n"_s));
    m_remarks->setVisible(!remarks.isEmpty());
}

void TrialAnswerPage::fillTable(const TrialAnswer& answer)
{
    m_cells.set(trialTable(answer));
    const int count = m_cells.rowCount();
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    const int rowPx = m_table->verticalHeader()->defaultSectionSize();
    m_table->setMinimumHeight(m_table->horizontalHeader()->sizeHint().height() +
                              std::clamp(count, kLeastRows, kMostRows) * rowPx + kFramePx);
    m_table->setVisible(count > 0);
}

void TrialAnswerPage::showCode(const QString& title, const QString& code, bool toCopy)
{
    const QString shown = code.endsWith('\n') ? code.chopped(1) : code;
    m_changeTitle->setText(u"<b>%1</b>"_s.arg(title.toHtmlEscaped()));
    m_code->setAccessibleName(title);
    m_code->setPlainText(shown);
    const QStringList lines = shown.split('\n');
    qsizetype longest = 0;
    for (const QString& line : lines)
        longest = std::max(longest, line.size());
    m_code->ensurePolished();  // its font is the style sheet's
    const int barPx = longest > kLongestLine ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
    m_code->setFixedHeight(std::min(kMostCodeLines, static_cast<int>(lines.size())) *
                               m_code->fontMetrics().lineSpacing() +
                           2 * kFramePx + barPx);
    m_copy->setVisible(toCopy);
    m_change->setVisible(!shown.trimmed().isEmpty());
}

void TrialAnswerPage::showFailure(const QString& words, const QString& advice)
{
    clear();
    const qsizetype end = words.indexOf('\n');
    QString sentence = words.left(end);  // of -1: all
    if (sentence.endsWith(kPrintedLast))
        sentence.chop(kPrintedLast.size());
    say(sentence, Mark::Failure);
    m_about->setText(advice);
    m_about->setVisible(!advice.isEmpty());
    showCode(u"It printed last"_s, end < 0 ? QString() : withoutIndent(words.mid(end + 1)), false);
}

void TrialAnswerPage::showCancelled()
{
    clear();
    say(u"Cancelled before any setting ran."_s, Mark::Unsure);
    m_about->setText(u"Nothing is known yet. Start again to try from the beginning."_s);
    m_about->show();
}

void TrialAnswerPage::clear()
{
    say({}, Mark::Nothing);
    for (QWidget* part :
         {static_cast<QWidget*>(m_about), m_change, static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_remarks)})
        part->hide();
}

void TrialAnswerPage::say(const QString& sentence, Mark mark)
{
    m_mark = mark;
    m_said = sentence;
    m_sentence->setText(u"<span style='font-size:17px; font-weight:600'>%1</span>"_s.arg(sentence.toHtmlEscaped()));
    dress();
}

void TrialAnswerPage::dress()
{
    const Palette& colors = Palette::current(palette());
    m_sentence->setMark(m_mark == Mark::Good      ? colors.good
                        : m_mark == Mark::Unsure  ? colors.warning
                        : m_mark == Mark::Failure ? colors.error
                                                  : colors.accent);
}

void TrialAnswerPage::copy()
{
    QApplication::clipboard()->setText(m_code->toPlainText() + '\n');
}

void TrialAnswerPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        dress();
}

}  // namespace overlane
