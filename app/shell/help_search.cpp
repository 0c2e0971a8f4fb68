#include "app/shell/help_search.h"

#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBlock>
#include <QTextDocument>
#include <QVBoxLayout>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kHitPageRole = Qt::UserRole;
constexpr int kHitBlockRole = Qt::UserRole + 1;
// Of a line, before what was found in it.
constexpr qsizetype kMostBefore = 14;

// Its beginning is left out where the words would not be in sight.
QString around(const QString& line, qsizetype at)
{
    if (at <= kMostBefore)
        return line;
    const qsizetype from = line.lastIndexOf(' ', at - kMostBefore / 2) + 1;
    return QChar(0x2026) + line.mid(from > 0 && from <= at ? from : at);
}

}  // namespace

HelpSearch::HelpSearch(std::vector<Page> pages, QListWidget* list, QWidget* parent)
    : QWidget(parent),
      m_pages(std::move(pages)),
      m_field(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_list(list),
      m_hits(new QListWidget(this))
{
    m_field->setObjectName("helpSearch");
    m_field->setAccessibleName(u"Search the help"_s);
    m_field->setPlaceholderText(u"Search the help (Ctrl+F)"_s);
    m_field->setToolTip(u"Enter: next line, Shift+Enter: previous line, Esc: all pages"_s);
    m_field->setClearButtonEnabled(true);
    m_field->installEventFilter(this);
    m_count->setObjectName("helpSearchCount");
    m_count->setWordWrap(true);
    m_count->hide();
    m_hits->setObjectName("helpHits");
    m_hits->setAccessibleName(u"Lines found"_s);
    m_hits->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hits->setTextElideMode(Qt::ElideRight);
    m_hits->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_field);
    column->addWidget(m_count);
    column->addWidget(m_list, 1);
    column->addWidget(m_hits, 1);
    connect(m_field, &QLineEdit::textChanged, this, &HelpSearch::search);
    connect(m_hits, &QListWidget::currentRowChanged, this, &HelpSearch::choose);
}

void HelpSearch::begin()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void HelpSearch::clear()
{
    m_field->clear();
}

QString HelpSearch::words() const
{
    return m_field->text().simplified();
}

void HelpSearch::readPages()
{
    if (!m_lines.empty())
        return;
    for (std::size_t page = 0; page < m_pages.size(); ++page) {
        QTextDocument document;
        m_pages[page].read(document);
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            if (!block.text().isEmpty())
                m_lines.push_back({page, block.blockNumber(), block.text()});
    }
}

void HelpSearch::search()
{
    const QString wanted = words();
    m_hits->clear();
    m_list->setVisible(wanted.isEmpty());
    m_hits->setVisible(!wanted.isEmpty());
    m_count->setVisible(!wanted.isEmpty());
    emit wordsChanged(wanted);
    if (wanted.isEmpty())
        return;
    readPages();
    int hits = 0;
    int pages = 0;
    std::size_t headed = m_pages.size();
    for (const Line& line : m_lines) {
        const qsizetype at = line.text.indexOf(wanted, 0, Qt::CaseInsensitive);
        if (at < 0)
            continue;
        const Page& page = m_pages[line.page];
        if (line.page != headed) {
            auto* heading = new QListWidgetItem(page.title, m_hits);
            QFont bold = heading->font();
            bold.setBold(true);
            heading->setFont(bold);
            heading->setFlags(Qt::ItemIsEnabled);
            headed = line.page;
            ++pages;
        }
        auto* hit = new QListWidgetItem(u"  "_s + around(line.text, at), m_hits);
        hit->setToolTip(line.text);
        hit->setData(Qt::AccessibleTextRole, u"%1: %2"_s.arg(page.title, line.text));
        hit->setData(kHitPageRole, page.name);
        hit->setData(kHitBlockRole, line.block);
        ++hits;
    }
    m_count->setText(hits == 0 ? u"No page has these words."_s
                     : hits == 1
                         ? u"1 line"_s
                         : u"%1 lines on %2"_s.arg(hits).arg(pages == 1 ? u"1 page"_s : u"%1 pages"_s.arg(pages)));
}

// Over the titles of pages, and around at the ends.
void HelpSearch::step(int by)
{
    const int count = m_hits->count();
    int row = m_hits->currentRow() < 0 && by < 0 ? 0 : m_hits->currentRow();
    for (int tried = 0; tried < count; ++tried) {
        row = (row + by + count) % count;
        if (!m_hits->item(row)->data(kHitPageRole).isValid())
            continue;
        m_hits->setCurrentRow(row);
        return;
    }
}

void HelpSearch::choose(int row)
{
    const QListWidgetItem* hit = m_hits->item(row);
    if (hit != nullptr && hit->data(kHitPageRole).isValid())
        emit lineChosen(hit->data(kHitPageRole).toString(), hit->data(kHitBlockRole).toInt());
}

bool HelpSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Down && m_hits->isVisible()) {
            next();
            m_hits->setFocus();
            return true;
        }
        if (key->key() == Qt::Key_Escape && !m_field->text().isEmpty()) {
            clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace overlane
