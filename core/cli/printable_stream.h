// PrintableStream: what the commands write, on its way to the terminal or to a file behind `>`.
//
// Names of files, kernels and GPUs come from strangers; whatever sentence they end up in, this is the
// one place that everything passes, and it lets nothing through that steers a terminal
// (core/base/printable_text.h). Borrows the stream it writes to, holds back no more than the bytes of
// a character that is not complete; one thread.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace overlane
{

class PrintableStream final : public std::ostream
{
public:
    explicit PrintableStream(std::ostream& target);
    ~PrintableStream() override;

    // Past the escapes: for what the program itself has to tell the terminal.
    void writeRaw(std::string_view text);

private:
    class Buffer final : public std::streambuf
    {
    public:
        explicit Buffer(std::ostream& target) : m_target(target) {}
        bool writeRest();

    protected:
        int_type overflow(int_type byte) override;
        std::streamsize xsputn(const char* bytes, std::streamsize count) override;
        int sync() override;

    private:
        std::ostream& m_target;
        std::string m_pending;
    };

    std::ostream& m_target;
    Buffer m_buffer;
};

// Takes back what stands on the line of the terminal: `err << eraseLine << "50 %"`.
std::ostream& eraseLine(std::ostream& stream);

}  // namespace overlane
