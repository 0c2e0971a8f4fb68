// SharedList: a vector whose copies share their values until one of them is changed: the digests of 512 ranks are
// copied for each picture that is drawn while others are still read.
//
// A value; copies may be read by several threads at once, one copy is changed by one thread. All that is not const
// makes its copy's own values first: read a const one. References hold until the list is copied.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace overlane
{

template <typename T>
class SharedList
{
public:
    using value_type = T;
    using iterator = typename std::vector<T>::iterator;
    using const_iterator = typename std::vector<T>::const_iterator;

    SharedList() = default;
    SharedList(std::vector<T> values)  // implicit: a vector is such a list
        : m_values(std::make_shared<std::vector<T>>(std::move(values)))
    {
    }

    bool empty() const { return read().empty(); }
    std::size_t size() const { return read().size(); }
    const T& operator[](std::size_t at) const { return read()[at]; }
    const T& at(std::size_t at) const { return read().at(at); }
    const T& front() const { return read().front(); }
    const T& back() const { return read().back(); }
    const_iterator begin() const { return read().begin(); }
    const_iterator end() const { return read().end(); }
    const std::vector<T>& read() const { return m_values ? *m_values : none(); }
    operator const std::vector<T>&() const { return read(); }

    // This copy's own values.
    std::vector<T>& edit()
    {
        if (!m_values)
            m_values = std::make_shared<std::vector<T>>();
        else if (m_values.use_count() > 1)
            m_values = std::make_shared<std::vector<T>>(*m_values);
        return *m_values;
    }
    T& operator[](std::size_t at) { return edit()[at]; }
    T& at(std::size_t at) { return edit().at(at); }
    T& front() { return edit().front(); }
    T& back() { return edit().back(); }
    iterator begin() { return edit().begin(); }
    iterator end() { return edit().end(); }
    template <typename From>
    void assign(From first, From last)
    {
        edit().assign(first, last);
    }
    iterator insert(iterator before, T value) { return edit().insert(before, std::move(value)); }
    iterator erase(iterator at) { return edit().erase(at); }
    iterator erase(iterator first, iterator last) { return edit().erase(first, last); }
    void resize(std::size_t count) { edit().resize(count); }
    void push_back(T value) { edit().push_back(std::move(value)); }
    void reserve(std::size_t count) { edit().reserve(count); }
    void clear() { m_values.reset(); }

    friend bool operator==(const SharedList& a, const SharedList& b) { return a.read() == b.read(); }

private:
    static const std::vector<T>& none()
    {
        static const std::vector<T> kNone;
        return kNone;
    }

    std::shared_ptr<std::vector<T>> m_values;
};

}  // namespace overlane
