#include "app/timeline/bar_text.h"

namespace overlane
{

namespace
{

constexpr int kWidthStepPx = 6;
constexpr int kWidestPx = 900;            // beyond, every text that is worth reading fits
constexpr qsizetype kReadableLength = 5;  // an elided text below says nothing
constexpr qsizetype kEntries = 20'000;

}  // namespace

void BarText::draw(QPainter& painter, const QFontMetrics& metrics, quint64 key, const QString& text, const QRect& rect)
{
    const int step = std::min(rect.width(), kWidestPx) / kWidthStepPx;
    auto found = m_texts.find({key, step});
    if (found == m_texts.end()) {
        if (m_texts.size() > kEntries)
            m_texts.clear();
        Entry entry;
        const QString elided = metrics.elidedText(text.left(200), Qt::ElideMiddle, step * kWidthStepPx);
        const bool readable = elided.size() >= kReadableLength || elided == text;
        entry.text.setText(readable ? elided : QString());
        entry.text.setTextFormat(Qt::PlainText);
        entry.text.setPerformanceHint(QStaticText::AggressiveCaching);
        entry.text.prepare(painter.transform(), painter.font());
        entry.heightPx = metrics.height();
        found = m_texts.insert({key, step}, entry);
    }
    painter.drawStaticText(rect.left(), rect.top() + (rect.height() - found->heightPx + 1) / 2, found->text);
}

}  // namespace overlane
