// What to say of a trace in which no GPU has done anything, and what to do about it.
//
// Pure functions of the document; GUI thread.
#pragma once

#include <QString>

namespace overlane
{

class Document;

QString withoutGpuSentence(const Document& document);
QString withoutGpuAdvice(const Document& document);

}  // namespace overlane
