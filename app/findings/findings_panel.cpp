#include "app/findings/findings_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/findings/finding_row.h"
#include "app/findings/finding_text.h"
#include "app/session/document.h"
#include "app/session/without_gpu.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"
#include "core/findings/finding_blocks.h"

namespace overlane
{

namespace
{

// Nothing found is an answer too: why there is nothing to win, or what is not known.
QString emptySentence(const Document& document, const RangeInsight& insight)
{
    if (!insight.kernelsKnown && !insight.findings.notChecked.empty())
        return u"No finding, but the kernels of this range were not recorded: what could not be checked is "
               "named below."_s;
    const Judgement* judged = document.judgement();
    return u"No findings. %1"_s.arg(judged ? text(judged->verdict.sentence) : QString());
}

}  // namespace

FindingsPanel::FindingsPanel(Document* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_caption(new ElidedLabel(this)),
      m_copy(new QToolButton(this)),
      m_scroll(new QScrollArea(this)),
      m_empty(new QLabel),
      m_fold(new QToolButton),
      m_notChecked(new QLabel)
{
    setObjectName("findingsPanel");
    m_caption->setObjectName("findingsCaption");
    m_copy->setObjectName("findingsCopy");
    m_copy->setText(u"Copy as text"_s);
    m_copy->setToolTip(u"Copy every finding with its cost and change as text"_s);
    m_copy->setAutoRaise(true);
    m_empty->setObjectName("findingsEmpty");
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(20, 12, 20, 12);
    m_fold->setObjectName("findingsFold");
    m_fold->setAutoRaise(true);
    m_fold->setCheckable(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_notChecked->setObjectName("findingsNotChecked");
    m_notChecked->setWordWrap(true);
    m_notChecked->setContentsMargins(30, 0, 8, 6);
    m_notChecked->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* content = new QWidget;
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    m_list = new QVBoxLayout(content);
    m_list->setContentsMargins(0, 0, 0, 0);
    m_list->setSpacing(0);
    m_list->addWidget(m_empty);
    m_list->addWidget(m_fold, 0, Qt::AlignLeft);
    m_list->addWidget(m_notChecked);
    m_list->addStretch(1);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setAccessibleName(u"Findings"_s);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 1, 4, 0);
    head->addWidget(m_caption, 1);
    head->addWidget(m_copy);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_scroll, 1);

    connect(m_copy, &QToolButton::clicked, this, &FindingsPanel::copyAll);
    connect(m_fold, &QToolButton::toggled, this, &FindingsPanel::showNotChecked);
    connect(document->insights(), &InsightSource::changed, this, &FindingsPanel::refresh);
    refresh();
}

FindingRow* FindingsPanel::rowOf(RuleId rule) const
{
    const auto found = m_rows.find(rule);
    return found == m_rows.end() ? nullptr : found->second;
}

FindingRow* FindingsPanel::currentRow() const
{
    if (std::find(m_order.begin(), m_order.end(), m_touched) != m_order.end())
        return m_touched;
    return m_order.empty() ? nullptr : m_order.front();
}

QString FindingsPanel::caption() const
{
    return m_caption->text();
}

QString FindingsPanel::emptyText() const
{
    return m_empty->isHidden() ? QString() : m_empty->text();
}

void FindingsPanel::copyAll() const
{
    if (const auto& insight = m_document->insights()->insight())
        QApplication::clipboard()->setText(findingsText(*insight->trace, insight->findings, insight->selected));
}

void FindingsPanel::nextEvidence(int step)
{
    FindingRow* row = currentRow();
    if (row == nullptr)
        return;
    m_touched = row;
    row->setOpen(true);
    m_scroll->ensureWidgetVisible(row, 0, 0);
    row->showEvidence(step);
}

FindingRow* FindingsPanel::makeRow()
{
    auto* row = new FindingRow;
    row->installEventFilter(this);
    connect(row, &FindingRow::showRequested, this, [this, row](EventIndex event) {
        m_touched = row;
        // While the next run is looked at, the rows still speak of the one before.
        const auto& insight = m_document->insights()->insight();
        if (insight && insight->trace == m_document->trace())
            emit showRequested(event);
    });
    // What was opened is seen from its beginning, once the list has made room for it.
    connect(row, &FindingRow::opened, this, [this, row] {
        QTimer::singleShot(0, row, [this, row] {
            m_scroll->ensureWidgetVisible(row, 0, 0);
            const int missingPx = row->height() - m_scroll->viewport()->height();
            if (missingPx > 0) {
                m_scroll->verticalScrollBar()->setValue(row->y());
                emit roomWanted(missingPx);
            }
        });
    });
    connect(row, &FindingRow::whatIfRequested, this, &FindingsPanel::whatIfRequested);
    connect(row, &FindingRow::whyRequested, this, &FindingsPanel::whyRequested);
    connect(row, &FindingRow::moveRequested, this, [this, row](int rows) { moveFocus(row, rows); });
    return row;
}

void FindingsPanel::moveFocus(FindingRow* from, int rows)
{
    const auto at = std::find(m_order.begin(), m_order.end(), from) - m_order.begin() + rows;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(m_order.size()))
        return;
    FindingRow* to = m_order[static_cast<std::size_t>(at)];
    to->setFocus(Qt::TabFocusReason);
    m_scroll->ensureWidgetVisible(to, 0, 0);
}

bool FindingsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        if (auto* row = qobject_cast<FindingRow*>(watched)) {
            m_touched = row;
            if (static_cast<QFocusEvent*>(event)->reason() == Qt::TabFocusReason)
                m_scroll->ensureWidgetVisible(row, 0, 0);
        }
    return QWidget::eventFilter(watched, event);
}

void FindingsPanel::refresh()
{
    const auto& insight = m_document->insights()->insight();
    m_copy->setEnabled(insight != nullptr);
    std::map<RuleId, FindingRow*> before = std::move(m_rows);
    m_rows.clear();
    m_order.clear();
    if (insight) {
        for (const Finding& finding : insight->findings.findings) {
            const auto known = before.find(finding.rule);
            FindingRow* row = known != before.end() ? known->second : makeRow();
            if (known != before.end())
                before.erase(known);
            row->setFinding(insight->trace, finding);
            const auto place = static_cast<int>(m_order.size());
            if (m_list->indexOf(row) != place) {
                m_list->removeWidget(row);
                m_list->insertWidget(place, row);
            }
            row->show();
            m_rows[finding.rule] = row;
            m_order.push_back(row);
        }
    }
    for (auto& [rule, row] : before) {
        if (row == m_touched)
            m_touched = nullptr;
        row->hide();
        row->deleteLater();
    }
    // Tab goes through the rows in the order shown.
    for (std::size_t i = 1; i < m_order.size(); ++i)
        setTabOrder(m_order[i - 1], m_order[i]);
    const QString error = m_document->insights()->error();
    m_caption->setText(insight               ? listCaption(insight->findings, insight->selected)
                       : !error.isEmpty()    ? u"There are no findings of this range."_s
                       : m_document->trace() ? u"Analyzing …"_s
                                             : u"No trace is open."_s);
    m_empty->setVisible(m_order.empty());
    if (!insight)
        m_empty->setText(m_document->trace() ? error : u"Findings appear here once a trace is open."_s);
    else if (insight->devices.empty())
        m_empty->setText(withoutGpuSentence(*m_document) + ' ' + withoutGpuAdvice(*m_document));
    else if (m_order.empty())
        m_empty->setText(emptySentence(*m_document, *insight));
    showNotChecked();
}

void FindingsPanel::showNotChecked()
{
    const auto& insight = m_document->insights()->insight();
    QStringList lines;
    for (const std::string& line : insight ? notCheckedList(insight->findings).items : std::vector<std::string>())
        lines << text(line);
    m_fold->setVisible(!lines.isEmpty());
    m_fold->setArrowType(m_fold->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setText(lines.size() == 1 ? u"1 rule could not be checked"_s
                                      : u"%1 rules could not be checked"_s.arg(lines.size()));
    m_notChecked->setVisible(m_fold->isChecked() && !lines.isEmpty());
    m_notChecked->setText(lines.join('\n'));
}

}  // namespace overlane
