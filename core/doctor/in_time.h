// An answer from code of other people's that may never come: a driver in trouble does not return from its first call.
//
// Any thread. What does not answer goes on in a thread of its own until the process ends.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace overlane
{

// None where the time was over first. `ask` must not throw and must own what it uses.
template <typename Answer>
std::optional<Answer> answerInTime(std::function<Answer()> ask, std::chrono::milliseconds most)
{
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> answer = promise->get_future();
    std::thread([promise, ask = std::move(ask)] { promise->set_value(ask()); }).detach();
    if (answer.wait_for(most) != std::future_status::ready)
        return std::nullopt;
    return answer.get();
}

}  // namespace overlane
