#include "core/analysis/cause_kind.h"

namespace overlane
{

EventKind causeKind(LostCause cause)
{
    switch (cause) {
        case LostCause::Copies:
            return EventKind::CopyH2D;
        case LostCause::Staging:
            return EventKind::HostBlocked;
        case LostCause::ReadBack:
            return EventKind::CopyD2H;
        case LostCause::Communication:
            return EventKind::CopyD2D;
        case LostCause::Migration:
            return EventKind::CopyOther;
        case LostCause::OtherWork:
            return EventKind::Memset;
        case LostCause::Swap:
            return EventKind::Instant;
        case LostCause::InGraph:
        case LostCause::Dependency:
            return EventKind::Step;
        case LostCause::Batches:
        case LostCause::MakingBatches:
            return EventKind::Loader;
        case LostCause::Pinning:
            return EventKind::Annotation;
        case LostCause::Sync:
            return EventKind::Sync;
        case LostCause::LaunchBound:
            return EventKind::RuntimeCall;
        case LostCause::Host:
        case LostCause::HostBetween:
            return EventKind::HostWork;
        case LostCause::Ends:
            return EventKind::LoaderWait;
        case LostCause::Unknown:
            break;
    }
    return EventKind::Overhead;
}

}  // namespace overlane
