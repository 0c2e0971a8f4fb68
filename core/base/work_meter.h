// WorkMeter: what a long computation counts its items on, so that it ends soon after somebody asked it to.
//
// A loop counts each item; after every kItemsPerLook the wish to cancel is looked at, and a wish leaves
// the computation through an exception that attempt() alone catches. So does memory that does not
// suffice: who asked gets all of the answer or an Error, never half of it. One thread per meter.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace overlane
{

class WorkMeter
{
public:
    // Some ten microseconds of the dearest items.
    static constexpr std::size_t kItemsPerLook = 1024;
    struct Cancelled {
    };

    WorkMeter() = default;  // of a computation that cannot be cancelled
    explicit WorkMeter(const Progress* progress) : m_progress(progress) {}

    void count(std::size_t items = 1) const
    {
        m_sinceLook += items;
        if (m_sinceLook >= kItemsPerLook)
            look();
    }
    // Before and after what cannot count its items.
    void look() const
    {
        m_sinceLook = 0;
        if (m_progress && m_progress->cancelled())
            throw Cancelled();
    }
    // A comparison that counts, for sorting.
    template <typename Less>
    auto counting(Less less) const
    {
        return [this, less](const auto& a, const auto& b) {
            count();
            return less(a, b);
        };
    }

private:
    const Progress* m_progress = nullptr;
    mutable std::size_t m_sinceLook = 0;  // of no interest to a caller
};

template <typename T>
struct AsResult {
    using Type = Result<T>;
};
template <typename T>
struct AsResult<Result<T>> {
    using Type = Result<T>;
};

// What `make` returns when it is given a meter; an Error where it was cancelled, or where memory did not
// suffice to `what`: "judge the trace".
template <typename Make>
auto attempt(std::string_view what, const Progress* progress, Make make)
{
    using Made = std::invoke_result_t<Make, const WorkMeter&>;
    using Answer = typename AsResult<Made>::Type;
    try {
        const WorkMeter work(progress);
        if constexpr (std::is_void_v<Made>) {
            make(work);
            return Answer();
        } else {
            return Answer(make(work));
        }
    } catch (const WorkMeter::Cancelled&) {
        return Answer(Error::cancelled());
    } catch (const std::bad_alloc&) {
        return Answer(Error{"Memory does not suffice to " + std::string(what) +
                            "; close other programs, or record a shorter time."});
    }
}

}  // namespace overlane
