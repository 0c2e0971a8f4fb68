#include "app/shell/search_bar.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/session/document.h"
#include "app/tables/events_query.h"
#include "app/widgets/duration_filter.h"
#include "app/widgets/text.h"

namespace overlane
{

SearchBar::SearchBar(Document* document, QWidget* parent)
    : QFrame(parent),
      m_document(document),
      m_text(new QLineEdit(this)),
      m_least(new DurationFilter(u"searchLeast"_s, this)),
      m_count(new QLabel(this))
{
    setObjectName("searchBar");
    m_text->setObjectName("searchText");
    m_text->setPlaceholderText(u"Find events by name"_s);
    m_text->setAccessibleName(u"Find events by name"_s);
    m_text->setClearButtonEnabled(true);
    m_text->installEventFilter(this);
    m_count->setMinimumWidth(110);

    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 3, 8, 3);
    line->addWidget(m_text, 1);
    line->addWidget(m_least);
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
    button(u"▲"_s, u"Previous hit (Shift+F3)"_s, &SearchBar::previous);
    button(u"▼"_s, u"Next hit (F3, Enter)"_s, &SearchBar::next);
    button(u"List"_s, u"List the hits as a table"_s,
           [this] { emit listRequested(m_text->text(), m_least->leastNs()); });
    button(u"✕"_s, u"Close the search (Esc)"_s, &SearchBar::leave);

    connect(m_text, &QLineEdit::textChanged, this, &SearchBar::search);
    connect(m_least, &QComboBox::currentIndexChanged, this, &SearchBar::search);
    connect(document, &Document::traceChanged, this, [this] {
        forgetHits();  // they name events of another trace
        if (isVisible())
            search();
    });
    connect(&m_worker, &BackgroundWorker::progressed, this, [this](double fraction) {
        if (m_searching)
            m_count->setText(u"searching, %1 %"_s.arg(static_cast<int>(fraction * 100)));
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

void SearchBar::open(const QString& name)
{
    m_text->setText(name);
    open();
}

void SearchBar::search()
{
    m_worker.forget();
    m_wish = Wish::None;
    const auto& trace = m_document->trace();
    m_searching = trace && !m_text->text().isEmpty();
    if (!m_searching) {
        m_count->clear();
        forgetHits();
        return;
    }
    EventsQuery query;
    query.name = m_text->text();
    query.leastNs = m_least->leastNs();
    m_worker.run(
        u"Searching"_s, [trace, query](Progress& progress) { return found(findEvents(*trace, query, progress)); },
        [this](Result<FoundEvents> hits) {
            if (hits.ok())
                return adopt(std::move(hits).value());
            if (hits.isCancelled())
                return;
            emit m_document->failed(text(hits.error()));
            m_searching = false;
            m_count->clear();
            forgetHits();
        });
}

void SearchBar::adopt(FoundEvents hits)
{
    m_searching = false;
    m_walk.set(std::move(hits));
    m_count->setText(m_walk.text());
    emit hitsChanged(m_walk.marks());
    const Wish wish = std::exchange(m_wish, Wish::None);
    if (wish == Wish::Next)
        next();
    else if (wish == Wish::Previous)
        previous();
}

void SearchBar::forgetHits()
{
    if (m_walk.events().empty())
        return;
    m_walk = {};
    emit hitsChanged({});
}

void SearchBar::next()
{
    if (m_searching)
        m_wish = Wish::Next;
    else
        visit(m_walk.next(firstInSight()));
}

void SearchBar::previous()
{
    if (m_searching)
        m_wish = Wish::Previous;
    else
        visit(m_walk.previous(firstInSight()));
}

// Its place among the hits; 0 where all lie before what is shown.
std::size_t SearchBar::firstInSight() const
{
    const std::vector<EventIndex>& hits = m_walk.events();
    const std::int64_t fromNs = m_document->view()->target().startNs;
    const auto first = std::ranges::partition_point(
        hits, [&](EventIndex hit) { return m_document->trace()->interval(hit).startNs < fromNs; });
    return first == hits.end() ? 0 : static_cast<std::size_t>(first - hits.begin());
}

void SearchBar::visit(EventIndex event)
{
    if (!event.valid())
        return;
    m_count->setText(m_walk.text());
    emit eventRequested(event);
}

void SearchBar::leave()
{
    hide();
    m_worker.forget();
    m_searching = false;
    m_walk = {};
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
