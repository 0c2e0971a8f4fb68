#include "core/spool/record_status.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace overlane
{
namespace
{

// As cuptiGetVersion answers: 130001 for CUDA 13.0, 18 to 28 for CUDA 12.
std::string cuptiVersion(std::int32_t version)
{
    if (version >= 10'000)
        return fmt::format("CUDA {}.{}", version / 10'000, version / 100 % 100);
    return fmt::format("API version {}", version);
}

std::string_view writeAdvice(std::int32_t error)
{
    switch (error) {
        case EFBIG:
            return " Raise the largest size of a file (ulimit -f) and record again.";
        case EMFILE:
        case ENFILE:
            return " Raise the number of open files (ulimit -n) and record again.";
        case EACCES:
        case EPERM:
        case EROFS:
            return " Record into a folder that the program's user may write.";
        default:
            return "";
    }
}

}  // namespace

bool endsRecording(RecordStatus status)
{
    switch (status) {
        case RecordStatus::Recording:
        case RecordStatus::Waiting:
        case RecordStatus::KindUnavailable:
        case RecordStatus::RecordsDropped:
        case RecordStatus::LoaderNotUnderstood:
        case RecordStatus::EventsLeftOut:
        case RecordStatus::PeerCopiesLeftOut:
            return false;
        default:
            return true;
    }
}

bool isAlarming(RecordStatus status)
{
    switch (status) {
        case RecordStatus::Recording:
        case RecordStatus::Waiting:
        case RecordStatus::Stopped:
        case RecordStatus::Ended:
            return false;
        default:
            return true;
    }
}

RecordStatus writeStatus(int error)
{
    return error == ENOSPC || error == EDQUOT ? RecordStatus::DiskFull : RecordStatus::WriteFailed;
}

std::string statusSentence(RecordStatus status, std::int32_t detail, std::string_view text)
{
    switch (status) {
        case RecordStatus::Recording:
            return fmt::format("Recording with {} ({}).", text, cuptiVersion(detail));
        case RecordStatus::Waiting:
            return "Attached; recording starts when the delay is over.";
        case RecordStatus::Stopped:
            return "Recording stopped as asked; the program continues.";
        case RecordStatus::Ended:
            return "The program ended; everything was recorded.";
        case RecordStatus::NoCupti:
            return fmt::format(
                "CUPTI was not found, so nothing can be recorded: install the package cuda-cupti of the CUDA toolkit, "
                "or name the library in OVERLANE_CUPTI ({}).",
                text);
        case RecordStatus::CuptiTooOld:
            return fmt::format(
                "The CUPTI library is too old to record with (it has no {}): CUDA 12.0 or newer is needed.", text);
        case RecordStatus::NoPermission:
            return "The driver does not let this user record the GPU (CUPTI error 35): run as root, or let the "
                   "administrator load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0; in a container "
                   "add the capability SYS_ADMIN.";
        case RecordStatus::Busy:
            return "Another profiler already holds CUPTI in this process (CUPTI error 39), so nothing was recorded: "
                   "run without Nsight, cuda-gdb or compute-sanitizer around the program.";
        case RecordStatus::TakenOver:
            return "Another user of CUPTI in the program (torch.profiler, for one) took the records over, so from here "
                   "on the GPU is not recorded: run without that profiler.";
        case RecordStatus::CuptiFailed:
            return fmt::format("CUPTI refused {} (error {}), so nothing was recorded.", text, detail);
        case RecordStatus::KindUnavailable:
            return fmt::format("CUPTI cannot record {} here (error {}); everything else is recorded.", text, detail);
        case RecordStatus::DiskFull:
            return fmt::format(
                "A process could not write its records ({}): its recording stopped there, the program continues, and "
                "what it had written is kept. Make room where FILE is written and record again.",
                std::strerror(detail));
        case RecordStatus::SizeLimit:
            return "The recording reached its size limit: it stopped and is kept; the program continues.";
        case RecordStatus::WriteFailed:
            return fmt::format(
                "A process could not write its records ({}): its recording stopped there, the program continues, and "
                "what it had written is kept.{}",
                std::strerror(detail), writeAdvice(detail));
        case RecordStatus::RecordsDropped:
            return fmt::format("CUPTI dropped {} records because no buffer was free.", detail);
        case RecordStatus::NotSupported:
            return fmt::format(
                "CUPTI does not support this kind of GPU setup (error {}: a virtual GPU without permission, "
                "confidential computing, MIG, SLI or WSL), so nothing was recorded.",
                detail);
        case RecordStatus::LoaderNotUnderstood:
            return fmt::format(
                "The PyTorch loader is not shown, because this version of it is not known ({}); everything else is "
                "recorded.",
                text);
        case RecordStatus::NoThread:
            return fmt::format(
                "A process could not start the thread that records ({}), so nothing was recorded of it: raise the "
                "limit of processes (ulimit -u).",
                std::strerror(detail));
        case RecordStatus::PeerCopiesLeftOut:
            return "Copies between GPUs are left out in a process that runs XLA (JAX, TensorFlow): with CUPTI's "
                   "records "
                   "of them its CUDA graphs can fail. All other copies are recorded.";
        case RecordStatus::EventsLeftOut:
            return "A process made loader events faster than Python could write them: some are missing, and the "
                   "loader's times in such a stretch are too short. The GPU's records are complete.";
    }
    return fmt::format("The recorded process reported state {}.", static_cast<std::uint32_t>(status));
}

}  // namespace overlane
