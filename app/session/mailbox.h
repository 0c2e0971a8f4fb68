// Mailbox: functions that other threads hand to the thread of its owner, which runs them one by one in that order.
//
// post() from any thread; the functions run on the thread this object lives in, each from an event of its own, and
// those still waiting are dropped with it. They pass through a lock of its own: what Qt does to pass an event on is out
// of the thread sanitizer's sight.
#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include <QObject>

namespace overlane
{

class Mailbox : public QObject
{
    Q_OBJECT

public:
    explicit Mailbox(QObject* parent = nullptr);
    ~Mailbox() override;

    void post(std::function<void()> what);

signals:
    void posted();

private:
    void deliver();

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_waiting;
};

}  // namespace overlane
