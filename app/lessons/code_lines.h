// Code of lessons beside text: a remark at the end of a line goes above it, and a long one onto several lines,
// so that a narrow card breaks no remark into what reads like code.
//
// Pure; any thread.
#pragma once

#include <QString>

namespace overlane
{

// Of Markdown: what stands between fences, with remarks that begin with "#" or "//".
QString withRemarksAbove(const QString& markdown);

}  // namespace overlane
