#include "app/session/mailbox.h"

#include <utility>

namespace overlane
{

Mailbox::Mailbox(QObject* parent) : QObject(parent)
{
    connect(this, &Mailbox::posted, this, &Mailbox::deliver, Qt::QueuedConnection);
}

Mailbox::~Mailbox()
{
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
}

void Mailbox::post(std::function<void()> what)
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(what));
    }
    emit posted();
}

void Mailbox::deliver()
{
    std::function<void()> what;
    {
        const std::lock_guard lock(m_mutex);
        what = std::move(m_waiting.front());
        m_waiting.pop_front();
    }
    what();
}

}  // namespace overlane
