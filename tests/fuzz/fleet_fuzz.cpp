// Any bytes as the file of a fleet.
#include "core/fleet/fleet_blocks.h"
#include "core/fleet/fleet_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/made_fleet.h"
#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace overlane;
    static const test::TempDir kFolder;
    kFolder.write("fleet.sqlite", std::string_view(reinterpret_cast<const char*>(data), size));
    Progress progress;
    const auto fleet = readFleet(kFolder.path().string(), progress);
    if (!fleet.ok() && fleet.error().empty())
        std::abort();
    if (fleet.ok() && fleetBlocks(fleet.value(), {}, 5).empty())
        std::abort();
    return 0;
}

std::vector<std::string> overlane::fuzz::seeds()
{
    std::vector<std::string> all;
    for (const int runs : {3, 60}) {
        const test::TempDir folder;
        test::writeFleet(folder.path("fleet.sqlite"), 1, runs);
        all.push_back(fileBytes(folder.path("fleet.sqlite")));
    }
    return all;
}
