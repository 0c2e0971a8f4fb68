// The command line of a program to record, as a person writes it.
//
// Pure functions of the text and the environment, any thread.
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace overlane
{

// As a shell reads it, with ~, variables and wildcards. The Error is for the person.
Result<QStringList> parseCommand(const QString& line);
// The same for another machine, whose own shell is to read ~, variables and wildcards: then it is sh -c 'exec …'.
Result<QStringList> parseCommandThere(const QString& line);
// What a person would call the program: the script rather than its interpreter.
QString programName(const QStringList& words);

}  // namespace overlane
