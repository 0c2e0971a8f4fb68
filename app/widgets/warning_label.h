// WarningLabel: plain text, wrapped, in the color of a warning in the present theme.
//
// Lives on the GUI thread.
#pragma once

#include <QEvent>
#include <QLabel>

#include "app/theme/palette.h"
#include "app/widgets/tinted_bar.h"

namespace overlane
{

class WarningLabel : public QLabel
{
public:
    explicit WarningLabel(QWidget* parent = nullptr) : QLabel(parent)
    {
        setWordWrap(true);
        setTextFormat(Qt::PlainText);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        ink();
    }

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && !m_inking)
            ink();
    }

private:
    void ink()
    {
        m_inking = true;
        setInk(this, Palette::current().warning);
        m_inking = false;
    }

    bool m_inking = false;
};

}  // namespace overlane
