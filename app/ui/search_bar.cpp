#include "app/ui/search_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/ui/document.h"
#include "app/ui/events_model.h"
#include "app/ui/text.h"

namespace overlane
{

SearchBar::SearchBar(Document* document, QWidget* parent)
    : QFrame(parent), m_document(document), m_text(new QLineEdit(this)), m_count(new QLabel(this))
{
    setObjectName("searchBar");
    m_text->setObjectName("searchText");
    m_text->setPlaceholderText(tr("Find events by name"));
    m_text->setAccessibleName(tr("Find events by name"));
    m_text->setClearButtonEnabled(true);
    m_text->installEventFilter(this);
    m_count->setMinimumWidth(110);

    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 3, 8, 3);
    line->addWidget(m_text, 1);
    line->addWidget(m_count);
    const auto button = [&](const QString& label, const QString& name, auto member) {
        auto* made = new QToolButton(this);
        made->setText(label);
        made->setAutoRaise(true);
        made->setAccessibleName(name);
        made->setToolTip(name);
        connect(made, &QToolButton::clicked, this, member);
        line->addWidget(made);
    };
    button(QStringLiteral("▲"), tr("Previous hit (Shift+F3)"), &SearchBar::previous);
    button(QStringLiteral("▼"), tr("Next hit (F3, Enter)"), &SearchBar::next);
    button(QStringLiteral("✕"), tr("Close the search (Esc)"), &SearchBar::leave);

    connect(m_text, &QLineEdit::textChanged, this, &SearchBar::search);
    connect(document, &Document::traceChanged, this, [this] {
        if (isVisible())
            search();
    });
    hide();
}

void SearchBar::open()
{
    show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
    search();
}

void SearchBar::search()
{
    m_hits.clear();
    m_position = 0;
    m_fresh = true;
    const auto& trace = m_document->trace();
    if (trace && !m_text->text().isEmpty()) {
        m_hits = eventsNamed(*trace, m_text->text());
        const std::vector<std::int64_t>& starts = trace->columns().startNs;
        std::stable_sort(m_hits.begin(), m_hits.end(),
                         [&](EventIndex a, EventIndex b) { return starts[a.index()] < starts[b.index()]; });
    }
    m_count->setText(m_text->text().isEmpty()
                         ? QString()
                         : tr("%1 events").arg(text(formatCount(static_cast<std::int64_t>(m_hits.size())))));
    emit hitsChanged(m_hits);
}

void SearchBar::next()
{
    if (!m_hits.empty())
        go(m_fresh ? 0 : (m_position + 1) % m_hits.size());
}

void SearchBar::previous()
{
    if (!m_hits.empty())
        go(m_fresh || m_position == 0 ? m_hits.size() - 1 : m_position - 1);
}

void SearchBar::go(std::size_t position)
{
    m_position = position;
    m_fresh = false;
    m_count->setText(tr("%1 of %2").arg(position + 1).arg(m_hits.size()));
    emit eventRequested(m_hits[position]);
}

void SearchBar::leave()
{
    hide();
    m_hits.clear();
    emit hitsChanged({});
    emit closed();
}

void SearchBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        leave();
    else
        QFrame::keyPressEvent(event);
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if ((key->modifiers() & Qt::ShiftModifier) != 0)
                previous();
            else
                next();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace overlane
