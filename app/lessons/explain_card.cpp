#include "app/lessons/explain_card.h"

#include <algorithm>

#include <QCoreApplication>
#include <QCursor>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include "app/theme/palette.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kWidthPx = 340;
constexpr int kLinkPaddingPx = 10;
constexpr int kWatchMs = 150;
constexpr int kGapPx = 4;  // that the cursor may cross on its way to the card

}  // namespace

ExplainCard::ExplainCard(QWidget* parent)
    : QFrame(parent, Qt::ToolTip), m_words(new QLabel(this)), m_link(new QPushButton(this))
{
    setObjectName("explainCard");
    setAttribute(Qt::WA_ShowWithoutActivating);
    m_words->setObjectName("explainWords");
    m_words->setWordWrap(true);
    m_words->setFixedWidth(kWidthPx);
    m_link->setObjectName("explainLink");
    m_link->setFlat(true);
    m_link->setCursor(Qt::PointingHandCursor);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 6);
    column->setSpacing(4);
    column->addWidget(m_words);
    column->addWidget(m_link, 0, Qt::AlignLeft);
    column->setSizeConstraint(QLayout::SetFixedSize);
    connect(m_link, &QPushButton::clicked, this, [this] {
        hide();
        emit lessonRequested(m_lesson);
    });
    m_watch.setInterval(kWatchMs);
    connect(&m_watch, &QTimer::timeout, this, &ExplainCard::leaveWhenLeft);
}

void ExplainCard::showFor(const Explained& explained, bool byKeyboard)
{
    hide();
    m_lesson = explained.lesson;
    m_place = explained.place;
    m_words->setText(explained.words);
    m_link->setVisible(!explained.lesson.isEmpty());
    dress();
    ensurePolished();
    m_link->ensurePolished();
    m_link->setText(m_link->fontMetrics().elidedText(u"Show me: %1"_s.arg(explained.title), Qt::ElideRight,
                                                     kWidthPx - 2 * kLinkPaddingPx));
    m_link->setAccessibleName(u"Show me: %1"_s.arg(explained.title));
    // A popup takes the keys and goes with a click elsewhere; a tip takes nothing.
    setWindowFlags((byKeyboard ? Qt::Popup : Qt::ToolTip) | Qt::FramelessWindowHint);
    layout()->activate();
    adjustSize();
    move(cornerBeside(explained.place));
    show();
    // As large as it became with its style.
    QCoreApplication::sendPostedEvents(this, QEvent::LayoutRequest);
    layout()->activate();
    move(cornerBeside(explained.place));
    if (byKeyboard)
        (m_link->isHidden() ? static_cast<QWidget*>(this) : m_link)->setFocus();
    else
        m_watch.start();
}

// Below the thing, else above it, else beside it: what is explained stays in sight.
QPoint ExplainCard::cornerBeside(const QRect& place) const
{
    const QScreen* screen = QGuiApplication::screenAt(place.center());
    const QRect room = (screen != nullptr ? screen : parentWidget()->screen())->availableGeometry();
    const int below = place.bottom() + 1 + kGapPx;
    const int above = place.top() - height() - kGapPx;
    const auto fitting = [](int wanted, int from, int to) { return std::clamp(wanted, from, std::max(from, to)); };
    const int lastX = room.right() + 1 - width();
    const int lastY = room.bottom() + 1 - height();
    if (below <= lastY || above >= room.top())
        return {fitting(place.left(), room.left(), lastX), below <= lastY ? below : above};
    const int right = place.right() + 1 + kGapPx;
    return {right <= lastX ? right : fitting(place.left() - width() - kGapPx, room.left(), lastX),
            fitting(place.top(), room.top(), lastY)};
}

QString ExplainCard::words() const
{
    return m_words->text();
}

void ExplainCard::leaveWhenLeft()
{
    const auto around = [](const QRect& rect) { return rect.adjusted(-kGapPx, -kGapPx, kGapPx, kGapPx); };
    const QPoint cursor = QCursor::pos();
    if (!around(m_place).contains(cursor) && !around(frameGeometry()).contains(cursor))
        hide();
}

void ExplainCard::hideEvent(QHideEvent* event)
{
    m_watch.stop();
    QFrame::hideEvent(event);
}

void ExplainCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

void ExplainCard::dress()
{
    const Palette& colors = Palette::current();
    setStyleSheet(
        u"#explainCard { background: %1; border: 1px solid %2; }"
        "#explainLink { color: %3; border: none; padding: 2px 0; text-align: left; }"
        "#explainLink:hover, #explainLink:focus { text-decoration: underline; }"_s.arg(
            colors.panel.name(), colors.border.name(), colors.accent.name()));
}

}  // namespace overlane
