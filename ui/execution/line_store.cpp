// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/line_store.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace belljar::ui {

using execution::OutputChunk;
using execution::Stream;

void LineStore::add(Row row)
{
    m_longest = std::max(m_longest, static_cast<int>(row.line.text.size()));
    m_characters += static_cast<std::size_t>(row.line.text.size());
    m_rows.push_back(std::move(row));
    while (m_rows.size() > kMaxLines || m_characters > kMaxCharacters) {
        m_characters -= static_cast<std::size_t>(m_rows.front().line.text.size());
        m_rows.pop_front();
        ++m_dropped;
    }
}

void LineStore::takeDone(StreamState& state, Stream stream, std::vector<OutputLine>& done)
{
    for (OutputLine& line : done)
        add({std::move(line), stream, false});
    done.clear();
    state.open.reset();
    if (auto open = state.decoder.openLine()) {
        m_longest = std::max(m_longest, static_cast<int>(open->text.size()));
        state.open = Row{std::move(*open), stream, false};
    }
}

void LineStore::append(const std::vector<OutputChunk>& chunks)
{
    std::vector<OutputLine> done;
    for (const OutputChunk& chunk : chunks) {
        StreamState& state = m_streams.at(static_cast<std::size_t>(chunk.stream));
        if (chunk.offset > state.nextOffset) {
            state.decoder.finish(done);
            takeDone(state, chunk.stream, done);
            Row gap;
            gap.stream = chunk.stream;
            gap.note = true;
            gap.line.text =
                QCoreApplication::translate("belljar::ui::OutputView", "… %1 bytes not kept …")
                    .arg(QLocale().toString(static_cast<qulonglong>(chunk.offset - state.nextOffset)
                    ));
            add(std::move(gap));
        }
        state.nextOffset = chunk.offset + chunk.bytes.size();
        state.decoder.feed(chunk.bytes, done);
        takeDone(state, chunk.stream, done);
    }
}

void LineStore::finish()
{
    std::vector<OutputLine> done;
    for (const Stream stream : {Stream::Stdout, Stream::Stderr}) {
        StreamState& state = m_streams.at(static_cast<std::size_t>(stream));
        state.decoder.finish(done);
        takeDone(state, stream, done);
    }
}

std::size_t LineStore::openCount() const
{
    return static_cast<std::size_t>(std::count_if(
        m_streams.begin(),
        m_streams.end(),
        [](const StreamState& state) { return state.open.has_value(); }
    ));
}

const LineStore::Row& LineStore::at(std::size_t index) const
{
    if (index < m_rows.size())
        return m_rows[index];
    const bool first = index == m_rows.size() && m_streams[0].open.has_value();
    return first ? *m_streams[0].open : *m_streams[1].open;
}

} // namespace belljar::ui
