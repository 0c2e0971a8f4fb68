#include "app/ui/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "app/theme/palette.h"

namespace overlane
{

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel(this))
{
    setObjectName("messageBar");
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 4, 6, 4);
    line->addWidget(m_text, 1);
    line->addWidget(close);
    hide();
}

void MessageBar::showError(const QString& sentence)
{
    const Palette& colours = Palette::current(palette());
    setStyleSheet(QStringLiteral("#messageBar { background: %1; } #messageBar QLabel, #messageBar QToolButton { color: "
                                 "%2; }")
                      .arg(colours.error.name(), colours.textOn(colours.error).name()));
    m_text->setText(sentence);
    show();
}

QString MessageBar::sentence() const
{
    return m_text->text();
}

}  // namespace overlane
