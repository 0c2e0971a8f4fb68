// expectText() of the texts of widgets.
#pragma once

#include <QString>
#include <QStringList>

#include "tests/support/expect_text.h"

namespace overlane::test
{

inline void expectText(const QString& text, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    expectText(text.toStdString(), file, line);
}

inline void expectText(const QStringList& texts, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    expectText(texts.join('\n'), file, line);
}

}  // namespace overlane::test
