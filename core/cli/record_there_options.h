// What `overlane record --host` asks of the recorder on the other machine, from its command line here.
//
// Pure but for a look at the folder named and at the environment; the main thread.
#pragma once

#include <string>

#include "core/cli/record_arguments.h"
#include "core/remote/remote_record.h"

namespace overlane
{

// Where the trace goes on this machine.
struct PlaceHere {
    std::string folder;  // empty, or with a slash at its end
    std::string name;    // empty: the recorder there chooses
};
// `output` is a file, or a folder: one that is there, or that ends in a slash.
PlaceHere placeOf(const std::string& output);

// `machineFolder` is Overlane's own on the machine.
RemoteRecordOptions remoteOptions(const RecordArguments& options, const PlaceHere& place,
                                  const std::string& machineFolder);

}  // namespace overlane
