// BarText: texts elided to a width, laid out once and kept.
//
// Lives on the GUI thread. Shaping text costs far more than drawing it, and a pan shows the same
// names again. The memory is bounded: the cache starts afresh when it has grown large.
#pragma once

#include <QFontMetrics>
#include <QHash>
#include <QPainter>
#include <QStaticText>

#include "core/base/strong_id.h"

namespace overlane
{

// What of a name a bar of this width shows: all of it; without the "cuda" of a runtime call; elided in
// the middle where enough stays to be told from others; the number behind the last '#' of a step. Empty
// where none of these says something.
QString fittedName(const QFontMetrics& metrics, const QString& name, int widthPx);

class BarText
{
public:
    void clear() { m_texts.clear(); }
    // Draws `text` (known by `key` and its purpose) left-aligned in the rectangle, as fittedName().
    void draw(QPainter& painter, const QFontMetrics& metrics, quint64 key, const QString& text, const QRect& rect);

    // A key that no other purpose shares.
    static quint64 keyOf(StringId name) { return name.value(); }

private:
    struct Entry {
        QStaticText text;
        int heightPx = 0;
    };
    QHash<QPair<quint64, int>, Entry> m_texts;  // by key and width, in steps
};

}  // namespace overlane
