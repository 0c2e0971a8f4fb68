#include "app/timeline/bar_text.h"

#include "app/widgets/text.h"
#include "core/base/short_name.h"

namespace overlane
{

namespace
{

constexpr int kWidthStepPx = 6;
constexpr int kWidestPx = 900;              // beyond, every text that is worth reading fits
constexpr qsizetype kReadableLength = 9;    // an elided text below says nothing
constexpr qsizetype kMostCharacters = 600;  // names of kernels begin with what all of them share
constexpr qsizetype kEntries = 20'000;

// "## forward ##" without its frame.
QString undecorated(const QString& name)
{
    const auto frame = [](QChar c) { return c == '#' || c == '=' || c == '*' || c.isSpace(); };
    if (!name.startsWith(QLatin1String("##")) && !name.startsWith(QLatin1String("==")) &&
        !name.startsWith(QLatin1String("**")))
        return name;
    qsizetype first = 0;
    qsizetype last = name.size();
    while (first < last && frame(name[first]))
        ++first;
    while (last > first && frame(name[last - 1]))
        --last;
    return name.mid(first, last - first);
}

}  // namespace

QString fittedName(const QFontMetrics& metrics, const QString& name, int widthPx)
{
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= widthPx; };
    if (fits(name))
        return name;
    if (name.startsWith(QLatin1String("cuda")))
        return fittedName(metrics, name.mid(4), widthPx);
    if (const QString plain = undecorated(name); plain != name)
        return plain.isEmpty() ? QString() : fittedName(metrics, plain, widthPx);
    // What is short begins with what tells it from others; the rest of a kernel's name is what it works on.
    if (QString brief = text(shortName(name.toStdString())); brief != name) {
        if (fits(brief))
            return brief;
        const QString cut = metrics.elidedText(brief, Qt::ElideRight, widthPx);
        return cut.size() >= kReadableLength ? cut : QString();
    }
    // Words are read from their start; a number at the end tells one from the next.
    const bool numbered = name.back().isDigit();
    QString elided = metrics.elidedText(name, numbered ? Qt::ElideMiddle : Qt::ElideRight, widthPx);
    if (elided.size() >= kReadableLength)
        return elided;
    const qsizetype number = name.lastIndexOf(QLatin1Char('#'));
    return number >= 0 && number + 1 < name.size() && fits(name.mid(number)) ? name.mid(number) : QString();
}

void BarText::draw(QPainter& painter, const QFontMetrics& metrics, quint64 key, const QString& text, const QRect& rect)
{
    const int step = std::min(rect.width(), kWidestPx) / kWidthStepPx;
    auto found = m_texts.find({key, step});
    if (found == m_texts.end()) {
        if (m_texts.size() > kEntries)
            m_texts.clear();
        Entry entry;
        entry.text.setText(fittedName(metrics, text.left(kMostCharacters), step * kWidthStepPx));
        entry.text.setTextFormat(Qt::PlainText);
        entry.text.setPerformanceHint(QStaticText::AggressiveCaching);
        entry.text.prepare(painter.transform(), painter.font());
        entry.heightPx = metrics.height();
        found = m_texts.insert({key, step}, entry);
    }
    painter.drawStaticText(rect.left(), rect.top() + (rect.height() - found->heightPx + 1) / 2, found->text);
}

}  // namespace overlane
