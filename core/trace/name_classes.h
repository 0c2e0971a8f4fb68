// NameClasses: what the names of a trace's events mean to its reader, asked once per name.
//
// A trace of a million events has some hundred names; a reader tells them apart by text. Borrows
// the trace. One thread. `Class` is an enumeration whose value 0 is kept for "not asked yet".
#pragma once

#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace overlane
{

template <typename Class>
class NameClasses
{
public:
    using Classify = Class (*)(std::string_view name);

    // Events without a name are of the class that the empty name has.
    NameClasses(const Trace& trace, Classify classify)
        : m_trace(trace), m_classify(classify), m_nameless(classify({})), m_known(trace.strings().size(), Class{})
    {
    }

    Class of(EventIndex event)
    {
        const StringId name = m_trace.columns().name[event.index()];
        if (!name.valid())
            return m_nameless;
        Class& known = m_known[name.index()];
        if (known == Class{})
            known = m_classify(m_trace.strings().view(name));
        return known;
    }

private:
    const Trace& m_trace;
    const Classify m_classify;
    const Class m_nameless;
    std::vector<Class> m_known;
};

}  // namespace overlane
