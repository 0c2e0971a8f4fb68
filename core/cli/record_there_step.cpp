#include "core/cli/record_there_step.h"

#include <chrono>
#include <utility>

#include "core/recorder/host_news.h"

namespace overlane
{

ThereStep::ThereStep(std::string label, LongTask::Drawing drawing, Telling telling, std::ostream& err)
    : m_label(std::move(label)),
      m_err(err),
      m_task(m_label, telling == Telling::AsNews ? LongTask::Drawing::Never : drawing, LongTask::Cancelling::MustAnswer)
{
    if (telling == Telling::AsNews)
        m_teller = std::thread([this] { tell(); });
}

ThereStep::~ThereStep()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ended = true;
    }
    m_wake.notify_one();
    if (m_teller.joinable())
        m_teller.join();
}

void ThereStep::tell()
{
    constexpr std::chrono::milliseconds kBetween(100);
    double told = -1;
    std::unique_lock lock(m_mutex);
    do {
        const double fraction = m_task.progress().fraction();
        if (std::exchange(told, fraction) != fraction) {
            HostNews news;
            news.words = m_label;
            news.fraction = fraction;
            m_err << lineOf(news) << std::flush;
        }
    } while (!m_wake.wait_for(lock, kBetween, [this] { return m_ended; }));
}

}  // namespace overlane
