// The environment of a program to record, as a person writes it: one NAME=VALUE a line.
//
// Pure functions, any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace overlane
{

// The Error names the line that is not understood. Empty lines are skipped.
Result<std::vector<std::pair<std::string, std::string>>> parseEnvironment(const QString& lines);

// Whether a variable looks like one whose value is nobody's business: by its name (TOKEN, KEY, SECRET,
// PASSWORD and the like in it), or by an address with a password in its value.
bool looksSecret(const QString& name, const QString& value);

// What may be kept in plain settings, and the names of what may not.
struct StorableEnvironment {
    QString lines;
    QStringList leftOut;
};
StorableEnvironment storableEnvironment(const QString& lines);

}  // namespace overlane
