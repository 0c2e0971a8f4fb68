#include "app/session/failure_sentence.h"

#include <new>

#include "app/session/background_worker.h"

namespace overlane
{

QString failureSentence(const QString& title, const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return BackgroundWorker::tr(
                   "%1 stopped: there is not enough memory for it. Save your notes, close what else "
                   "needs memory, or take a shorter trace.")
            .arg(title);
    } catch (const std::exception& error) {
        return BackgroundWorker::tr("%1 stopped by a defect of Overlane: %2. Save your notes and start it again.")
            .arg(title, QString::fromUtf8(error.what()));
    } catch (...) {
        return BackgroundWorker::tr("%1 stopped by a defect of Overlane. Save your notes and start it again.")
            .arg(title);
    }
}

}  // namespace overlane
