// RankDigests: the digests that are compared, in order, without copies of them: those of 512 ranks take 200 MB.
//
// Points into what its maker owns, which has to outlive it. A value; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "core/job/rank_digest.h"

namespace overlane
{

class RankDigests
{
public:
    RankDigests() = default;
    RankDigests(const std::vector<RankDigest>& digests)  // implicit: a list of digests is one
    {
        for (const RankDigest& digest : digests)
            m_all.push_back(&digest);
    }

    void add(const RankDigest& digest) { m_all.push_back(&digest); }
    std::size_t size() const { return m_all.size(); }
    bool empty() const { return m_all.empty(); }
    const RankDigest& operator[](std::size_t rank) const { return *m_all[rank]; }

    class Iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = RankDigest;
        using difference_type = std::ptrdiff_t;
        using pointer = const RankDigest*;
        using reference = const RankDigest&;

        explicit Iterator(const RankDigest* const* at) : m_at(at) {}
        const RankDigest& operator*() const { return **m_at; }
        Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        bool operator==(const Iterator& other) const { return m_at == other.m_at; }

    private:
        const RankDigest* const* m_at;
    };
    Iterator begin() const { return Iterator(m_all.data()); }
    Iterator end() const { return Iterator(m_all.data() + m_all.size()); }

private:
    std::vector<const RankDigest*> m_all;
};

// "rank 2, rank 5 and 3 more": by their places in the digests.
std::string rankLabels(const std::vector<std::uint32_t>& ranks, const RankDigests& digests, std::size_t mostNamed);

}  // namespace overlane
