#include "core/job/archive_library.h"

#include <utility>

#include "core/system/shared_library.h"

namespace overlane
{
namespace
{

constexpr const char* kFile = "libarchive.so.13";

template <typename Function>
bool find(const SharedLibrary& library, const char* name, Function*& function)
{
    function = library.function<Function>(name);
    return function != nullptr;
}

Result<ArchiveLibrary> load()
{
    Result<SharedLibrary> opened = SharedLibrary::open(kFile);
    if (!opened.ok())
        return Error{
            "archives need libarchive, which is not installed here (Debian, Ubuntu: libarchive13; Fedora, RHEL: "
            "libarchive). Or unpack it and name the folder of the traces."};
    ArchiveLibrary made;
    const SharedLibrary& library = opened.value();
    if (find(library, "archive_read_new", made.make) &&
        find(library, "archive_read_support_filter_all", made.supportFilters) &&
        find(library, "archive_read_support_format_tar", made.supportTar) &&
        find(library, "archive_read_support_format_zip", made.supportZip) &&
        find(library, "archive_read_open_filename", made.open) &&
        find(library, "archive_read_next_header", made.next) && find(library, "archive_read_data_block", made.data) &&
        find(library, "archive_read_free", made.destroy) && find(library, "archive_entry_pathname", made.nameOf) &&
        find(library, "archive_entry_filetype", made.typeOf)) {
        opened.value().stay();  // what it needs keeps memory of its own
        return made;
    }
    return Error{"the libarchive of this system lacks a function; unpack it and name the folder of the traces."};
}

}  // namespace

const Result<ArchiveLibrary>& ArchiveLibrary::get()
{
    static const Result<ArchiveLibrary> kLibrary = load();
    return kLibrary;
}

}  // namespace overlane
