// PackedList: a list of rows that is packed when it is whole (packed_rows.h), and whose copies share it: digests of 512
// ranks hold two million collectives, each of which takes 13 bytes so, and 56 as a value.
//
// A row is a struct with a PackedColumns<Row> that says its columns. Read a const list: each look makes the row anew,
// so take it by value or bind it to a const reference. All that is not const unpacks the list into a vector of its own,
// until pack() is called again. Nothing is lost by packing. A value; copies may be read by several threads at once, one
// copy is changed by one thread; references to rows hold until pack() or until the list is copied.
#pragma once

#include <cassert>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/job/packed_rows.h"
#include "core/job/shared_list.h"

namespace overlane
{

// Has to have, for each Row:
//   static constexpr std::size_t kCount;                                 how many columns
//   static void write(const Row& row, std::int64_t* into);               their values
//   template <typename Value> static Row read(Value value);              value(column) is that of the row that is made
template <typename Row>
struct PackedColumns;

template <typename Row>
class PackedList
{
public:
    // By value: it is one that <algorithm> may search, and no place to write to.
    class const_iterator
    {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = Row;
        using difference_type = std::ptrdiff_t;
        using pointer = const Row*;
        using reference = Row;

        const_iterator() = default;
        const_iterator(const PackedList& of, std::size_t at) : m_of(&of), m_at(static_cast<std::ptrdiff_t>(at)) {}
        [[gnu::always_inline]] Row operator*() const { return (*m_of)[static_cast<std::size_t>(m_at)]; }
        Row operator[](std::ptrdiff_t by) const { return *(*this + by); }
        const_iterator& operator+=(std::ptrdiff_t by)
        {
            m_at += by;
            return *this;
        }
        const_iterator& operator-=(std::ptrdiff_t by) { return *this += -by; }
        const_iterator& operator++() { return *this += 1; }
        const_iterator& operator--() { return *this += -1; }
        const_iterator operator++(int)
        {
            const const_iterator was = *this;
            ++*this;
            return was;
        }
        friend const_iterator operator+(const_iterator from, std::ptrdiff_t by) { return from += by; }
        friend const_iterator operator-(const_iterator from, std::ptrdiff_t by) { return from -= by; }
        friend std::ptrdiff_t operator-(const_iterator a, const_iterator b) { return a.m_at - b.m_at; }
        friend bool operator==(const_iterator a, const_iterator b) { return a.m_at == b.m_at; }
        friend auto operator<=>(const_iterator a, const_iterator b) { return a.m_at <=> b.m_at; }

    private:
        const PackedList* m_of = nullptr;
        std::ptrdiff_t m_at = 0;
    };
    using value_type = Row;
    using iterator = typename std::vector<Row>::iterator;

    PackedList() = default;
    PackedList(std::vector<Row> rows) : m_open(std::move(rows)) {}  // implicit: a vector is such a list

    bool isPacked() const { return m_packed != nullptr; }
    bool empty() const { return size() == 0; }
    std::size_t size() const { return m_packed ? m_packed->rows() : std::as_const(m_open).size(); }
    // Inline, so that columns which are not asked for are not read.
    [[gnu::always_inline]] Row operator[](std::size_t at) const
    {
        assert(at < size());
        if (!m_packed)
            return std::as_const(m_open)[at];
        const PackedRows& packed = *m_packed;
        return PackedColumns<Row>::read([&](std::size_t column)
                                            __attribute__((always_inline)) { return packed.at(at, column); });
    }
    Row front() const { return (*this)[0]; }
    Row back() const { return (*this)[size() - 1]; }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, size()}; }

    void pack()
    {
        if (m_packed)
            return;
        constexpr std::size_t kColumns = PackedColumns<Row>::kCount;
        const std::vector<Row>& rows = m_open.read();
        m_packed = std::make_shared<const PackedRows>(rows.size(), kColumns, [&](std::size_t at, std::int64_t* into) {
            PackedColumns<Row>::write(rows[at], into);
        });
        m_open.clear();
    }

    // This copy's own rows, unpacked.
    std::vector<Row>& edit()
    {
        if (m_packed)
            m_open = std::vector<Row>(std::as_const(*this).begin(), std::as_const(*this).end());
        m_packed.reset();
        return m_open.edit();
    }
    Row& operator[](std::size_t at) { return edit()[at]; }
    Row& front() { return edit().front(); }
    Row& back() { return edit().back(); }
    iterator begin() { return edit().begin(); }
    iterator end() { return edit().end(); }
    iterator insert(iterator before, Row row) { return edit().insert(before, std::move(row)); }
    iterator erase(iterator first, iterator last) { return edit().erase(first, last); }
    void resize(std::size_t count) { edit().resize(count); }
    void push_back(Row row) { edit().push_back(std::move(row)); }
    void reserve(std::size_t count) { edit().reserve(count); }
    void clear() { *this = {}; }

    friend bool operator==(const PackedList& a, const PackedList& b)
    {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
    }

private:
    SharedList<Row> m_open;                      // empty where
    std::shared_ptr<const PackedRows> m_packed;  // there are any
};

}  // namespace overlane
