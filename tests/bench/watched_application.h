// WatchedApplication: an application that knows the longest turn of its event loop and what it delivered in it, for the
// benchmark of the window's turns. Times in milliseconds of the thread itself.
//
// GUI thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <QApplication>
#include <QEvent>
#include <QMetaEnum>

#include "app/program/turn_clock.h"

namespace overlane
{

class WatchedApplication : public QApplication
{
public:
    // An event with those that were delivered within it before the next one of its depth.
    struct Delivery {
        int depth = 0;
        std::string name;
        double ms = 0;
    };
    struct Turn {
        double ms = 0;
        std::vector<Delivery> deliveries;  // that took a while
        const Delivery* longest() const
        {
            const auto found = std::max_element(deliveries.begin(), deliveries.end(),
                                                [](const auto& a, const auto& b) { return a.ms < b.ms; });
            return found != deliveries.end() ? &*found : nullptr;
        }
    };

    WatchedApplication(int& argc, char** argv)
        : QApplication(argc, argv), m_clock([this](double ms) { endTurn(ms); }, this)
    {
    }

    void begin()
    {
        m_longest = {};
        m_turn = {};
        m_clock.begin();
    }
    const Turn& longest() const { return m_longest; }

    bool notify(QObject* receiver, QEvent* event) override
    {
        const std::size_t at = m_turn.deliveries.size();
        const std::uint64_t turn = m_turns;
        m_turn.deliveries.push_back({m_depth, nameOf(*receiver, *event)});
        const double beganMs = TurnClock::threadMs();
        ++m_depth;
        const bool taken = QApplication::notify(receiver, event);
        if (turn != m_turns)  // a loop within the event has ended the turn
            return taken;
        --m_depth;
        m_turn.deliveries[at].ms = TurnClock::threadMs() - beganMs;
        if (m_turn.deliveries[at].ms < kNamedMs)
            m_turn.deliveries.resize(at);
        return taken;
    }

private:
    static std::string nameOf(const QObject& receiver, const QEvent& event)
    {
        const char* type = QMetaEnum::fromType<QEvent::Type>().valueToKey(event.type());
        std::string name = type != nullptr ? type : std::to_string(event.type());
        name += std::string(" to ") + receiver.metaObject()->className();
        return receiver.objectName().isEmpty() ? name : name + " " + receiver.objectName().toStdString();
    }

    void endTurn(double ms)
    {
        m_turn.ms = ms;
        if (ms > m_longest.ms)
            m_longest = std::move(m_turn);
        m_turn = {};
        m_depth = 0;
        ++m_turns;
    }

    static constexpr double kNamedMs = 0.25;

    int m_depth = 0;
    std::uint64_t m_turns = 0;
    Turn m_turn;
    Turn m_longest;
    TurnClock m_clock;
};

}  // namespace overlane
