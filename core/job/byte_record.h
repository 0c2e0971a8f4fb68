// ByteRecord, ByteCursor: numbers and texts as bytes, written and read back from a stranger's file.
//
// Unsigned numbers are LEB128; lists of integers those of core/io/overlane_columns.h, each behind its count and its
// bytes. A cursor never reads beyond its bytes and never believes a count beyond them: after the first damage it
// answers with nothing and ok() is false. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/zstd_codec.h"

namespace overlane
{

class ByteRecord
{
public:
    void number(std::uint64_t value);
    void text(std::string_view text);
    void integers(std::span<const std::int64_t> values);
    void bytes(std::span<const std::uint8_t> bytes);

    const PackedBytes& all() const { return m_bytes; }

private:
    PackedBytes m_bytes;
};

class ByteCursor
{
public:
    explicit ByteCursor(std::span<const std::uint8_t> bytes) : m_rest(bytes) {}

    std::uint64_t number();
    std::string text();
    std::vector<std::int64_t> integers();
    std::span<const std::uint8_t> bytes();

    bool ok() const { return m_ok; }
    bool atEnd() const { return m_rest.empty(); }
    void damaged();

private:
    std::span<const std::uint8_t> m_rest;
    bool m_ok = true;
};

}  // namespace overlane
