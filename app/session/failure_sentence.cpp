#include "app/session/failure_sentence.h"

#include <new>

#include "app/session/background_worker.h"
#include "app/widgets/text.h"

namespace overlane
{

QString failureSentence(const QString& title, const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return u"%1 stopped: there is not enough memory for it. Save your notes, close what else "
               "needs memory, or take a shorter trace."_s.arg(title);
    } catch (const std::exception& error) {
        return u"%1 stopped by a defect of Overlane: %2. Save your notes and start it again."_s.arg(
            title, QString::fromUtf8(error.what()));
    } catch (...) {
        return u"%1 stopped by a defect of Overlane. Save your notes and start it again."_s.arg(title);
    }
}

}  // namespace overlane
