#include "app/details/details_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QMimeData>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextOption>
#include <QUrl>
#include <QVBoxLayout>

#include "app/details/details_rows.h"
#include "app/details/details_text.h"
#include "app/details/why_details.h"
#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kNarrowCharacters = 38;

// What is copied from it is as the trace has it.
class DetailsBrowser : public QTextBrowser
{
public:
    using QTextBrowser::QTextBrowser;

protected:
    QMimeData* createMimeDataFromSelection() const override
    {
        auto* copied = new QMimeData;
        copied->setText(DetailsRows::plain(textCursor().selection().toPlainText()));
        return copied;
    }
};

}  // namespace

DetailsPanel::DetailsPanel(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_text(new DetailsBrowser(this))
{
    setObjectName("detailsPanel");
    m_text->setObjectName("detailsText");
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->document()->setDocumentMargin(9);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->setAccessibleName(u"Details of the selected event"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);

    connect(m_text, &QTextBrowser::anchorClicked, this, &DetailsPanel::follow);
    connect(document, &Document::traceChanged, this, &DetailsPanel::refresh);
    connect(document->selection(), &Selection::eventChanged, this, [this] {
        m_other = {};
        refresh();
    });
    connect(document->selection(), &Selection::rangeChanged, this, [this] {
        const Selection* selection = m_document->selection();
        if (!selection->event().valid() && !selection->gap() && !m_other.trace)
            refresh();
    });
    refresh();
}

QString DetailsPanel::shownText() const
{
    return DetailsRows::plain(m_text->toPlainText());
}

void DetailsPanel::follow(const QUrl& link)
{
    if (link.scheme() == u"help"_s) {
        emit helpRequested(link.path(), link.fragment());
        return;
    }
    const EventIndex event(link.path().toUInt());
    const auto& trace = m_other.trace ? m_other.trace : m_document->trace();
    if (!trace || event.index() >= trace->eventCount())
        return;
    if (link.scheme() == u"event"_s && m_other.trace)
        emit otherEventRequested(event);
    else if (link.scheme() == u"event"_s)
        emit eventRequested(event);
    else if (link.scheme() == u"copyname"_s)
        QApplication::clipboard()->setText(text(trace->name(event)));
}

void DetailsPanel::showOther(const AnalyzedTrace& other, EventIndex event, const QString& title)
{
    m_other = event.valid() && other.analysis ? other : AnalyzedTrace{};
    m_otherEvent = event;
    m_otherTitle = title.toHtmlEscaped();
    refresh();
}

void DetailsPanel::refresh()
{
    const AnalyzedTrace& shown = m_document->current();
    if (!shown.trace) {
        m_text->setHtml(
            u"<b>No trace is open</b><p>Open one with Ctrl+O, drop a file on the window, or turn a "
            "setting of the laboratory.</p>"_s);
        return;
    }
    const Palette& current = Palette::current(palette());
    m_narrow = narrow();
    const DetailsColors colors{current.mutedText, palette().color(QPalette::Link), &current, m_narrow};
    if (m_other.trace && m_other.analysis && m_otherEvent.valid() &&
        m_otherEvent.index() < m_other.trace->eventCount()) {
        m_text->setHtml(u"<p style='color:%1'>%2</p>"_s.arg(current.mutedText.name(),
                                                            u"In the lower timeline: %1"_s.arg(m_otherTitle)) +
                        eventDetails(*m_other.trace, *m_other.analysis, m_otherEvent, colors));
        return;
    }
    if (const auto& gap = m_document->selection()->gap()) {
        m_text->setHtml(gapDetails(*shown.trace, *shown.analysis, shown.steps.steps, *gap, colors));
        return;
    }
    const EventIndex event = m_document->selection()->event();
    if (event.valid() && event.index() < shown.trace->eventCount()) {
        m_text->setHtml(eventDetails(*shown.trace, *shown.analysis, event, colors));
        return;
    }
    const Judgement* ofRange = m_document->selection()->range() ? m_document->judgement() : nullptr;
    const QString range =
        ofRange != nullptr ? rangeDetails(ofRange->summary, ofRange->steps, ofRange->stepNs, colors) : QString();
    m_text->setHtml(range + traceDetails(*shown.trace, m_document->title(), range.isEmpty(), colors));
}

// Beside names, a column for a word such as "asynchronous" has to be left.
bool DetailsPanel::narrow() const
{
    return m_text->width() < fontMetrics().averageCharWidth() * kNarrowCharacters;
}

void DetailsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (narrow() != m_narrow)
        refresh();
}

void DetailsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

}  // namespace overlane
