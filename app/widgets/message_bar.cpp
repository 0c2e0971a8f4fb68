#include "app/widgets/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

MessageBar::MessageBar(QWidget* parent) : TintedBar(parent), m_text(new QLabel(this))
{
    setObjectName("messageBar");
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(u"✕"_s);
    close->setAutoRaise(true);
    close->setAccessibleName(u"Close the message"_s);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 4, 6, 4);
    line->addWidget(m_text, 1);
    line->addWidget(close);
    hide();
}

void MessageBar::showError(const QString& sentence)
{
    show(sentence, false);
}

void MessageBar::showNotice(const QString& sentence)
{
    show(sentence, true);
}

void MessageBar::hideError()
{
    if (!m_notice)
        hide();
}

void MessageBar::show(const QString& sentence, bool notice)
{
    m_notice = notice;
    m_text->setText(sentence);
    dress();
    TintedBar::show();
}

void MessageBar::dress()
{
    const Palette& colors = Palette::current(QApplication::palette());
    const QColor& ground = m_notice ? colors.accent : colors.error;
    tint(ground, colors.textOn(ground));
}

void MessageBar::changeEvent(QEvent* event)
{
    TintedBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        dress();
}

QString MessageBar::sentence() const
{
    return m_text->text();
}

}  // namespace overlane
