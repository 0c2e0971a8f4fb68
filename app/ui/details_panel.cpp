#include "app/ui/details_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/ui/details_text.h"
#include "app/ui/document.h"

namespace overlane
{

DetailsPanel::DetailsPanel(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_text(new QLabel(this))
{
    setObjectName("detailsPanel");
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_text->setContentsMargins(10, 8, 10, 8);
    m_text->setAccessibleName(tr("Details of the selected event"));
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(m_text);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);

    connect(m_text, &QLabel::linkActivated, this,
            [this](const QString& link) { emit eventRequested(EventIndex(link.section(':', 1).toUInt())); });
    connect(document, &Document::traceChanged, this, &DetailsPanel::refresh);
    connect(document->selection(), &Selection::eventChanged, this, &DetailsPanel::refresh);
    refresh();
}

QString DetailsPanel::shownText() const
{
    return m_text->text();
}

void DetailsPanel::refresh()
{
    const AnalysedTrace& current = m_document->current();
    if (!current.trace) {
        m_text->setText(tr("No trace is open."));
        return;
    }
    const QColor muted = Palette::current(palette()).mutedText;
    const EventIndex event = m_document->selection()->event();
    m_text->setText(event.valid() && event.index() < current.trace->eventCount()
                        ? eventDetails(*current.trace, *current.analysis, event, muted)
                        : traceDetails(*current.trace, m_document->title(), muted));
}

}  // namespace overlane
