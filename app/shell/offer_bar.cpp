#include "app/shell/offer_bar.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

OfferBar::OfferBar(QWidget* parent) : TintedBar(parent), m_text(new QLabel(this)), m_line(new QHBoxLayout(this))
{
    setObjectName("offerBar");
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    auto* close = new QToolButton(this);
    close->setText(u"✕"_s);
    close->setAutoRaise(true);
    close->setAccessibleName(u"Later"_s);
    close->setToolTip(u"It is offered again."_s);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    m_line->setContentsMargins(10, 4, 6, 4);
    m_line->addWidget(m_text, 1);
    m_line->addWidget(close);
    hide();
}

void OfferBar::offer(const QString& sentence, const Answers& answers)
{
    for (QPushButton* old : m_answers) {
        old->hide();
        old->deleteLater();  // it may be the one that was clicked
    }
    m_answers.clear();
    for (const auto& [label, run] : answers) {
        auto* button = new QPushButton(label, this);
        connect(button, &QPushButton::clicked, this, [this, run = run] {
            hide();
            run();
        });
        m_line->insertWidget(m_line->count() - 1, button);
        button->show();  // the bar may be in sight already
        m_answers.push_back(button);
    }
    m_text->setText(sentence);
    dress();
    show();
}

QString OfferBar::sentence() const
{
    return m_text->text();
}

void OfferBar::dress()
{
    const Palette& colors = Palette::current(QApplication::palette());
    tint(colors.accent, colors.textOn(colors.accent));
    dressButtons(colors.panel, colors.text);
}

void OfferBar::changeEvent(QEvent* event)
{
    TintedBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        dress();
}

}  // namespace overlane
