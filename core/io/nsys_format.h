// Nsight Systems exports (`nsys export --type sqlite`) as one of allFormats(); read only.
//
// Source of the tables' meaning: NVIDIA Nsight Systems user guide, "SQLite Schema Reference".
#pragma once

#include <string_view>

#include "core/io/format.h"

namespace overlane
{

const TraceFormat& nsysFormat();

// Whether the file name is that of a report (.nsys-rep, .qdrep), which has to be exported first;
// nsysFormat().read() says how.
bool isNsysReport(std::string_view path);

}  // namespace overlane
