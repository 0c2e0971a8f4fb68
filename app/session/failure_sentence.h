// What a person is told of work that ended with an exception, out of memory above all. GUI thread.
#pragma once

#include <exception>

#include <QString>

namespace overlane
{

// `title` names the work: "Recording".
QString failureSentence(const QString& title, const std::exception_ptr& thrown);

}  // namespace overlane
