// expectText() of the texts of widgets.
#pragma once

#include <QString>

#include "tests/support/expect_text.h"

namespace overlane::test
{

inline void expectText(const QString& text, std::source_location where = std::source_location::current())
{
    expectText(text.toStdString(), where);
}

inline void expectText(const QStringList& texts, std::source_location where = std::source_location::current())
{
    expectText(texts.join('\n'), where);
}

}  // namespace overlane::test
