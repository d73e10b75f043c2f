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
    m_ordinals.at(static_cast<std::size_t>(row.stream)).push_back(m_dropped + m_rows.size());
    m_rows.push_back(std::move(row));
    while (m_rows.size() > kMaxLines || m_characters > kMaxCharacters) {
        m_characters -= static_cast<std::size_t>(m_rows.front().line.text.size());
        const auto stream = static_cast<std::size_t>(m_rows.front().stream);
        m_ordinals.at(stream).pop_front();
        ++m_droppedOf.at(stream);
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

namespace {

/// Index of the one stream that `part` is.
std::size_t streamOf(LineStore::Part part)
{
    return part == LineStore::Part::Stdout ? 0 : 1;
}

} // namespace

std::size_t LineStore::closed(Part part) const
{
    return part == Part::Both ? m_rows.size() : m_ordinals.at(streamOf(part)).size();
}

std::uint64_t LineStore::dropped(Part part) const
{
    return part == Part::Both ? m_dropped : m_droppedOf.at(streamOf(part));
}

std::size_t LineStore::size(Part part) const
{
    const auto open = [this](std::size_t stream) {
        return m_streams.at(stream).open.has_value() ? std::size_t(1) : std::size_t(0);
    };
    return closed(part) + (part == Part::Both ? open(0) + open(1) : open(streamOf(part)));
}

const LineStore::Row& LineStore::at(std::size_t index, Part part) const
{
    const std::size_t closed = this->closed(part);
    if (part != Part::Both)
        return index < closed ? m_rows[m_ordinals.at(streamOf(part))[index] - m_dropped]
                              : *m_streams.at(streamOf(part)).open;
    if (index < closed)
        return m_rows[index];
    const bool first = index == closed && m_streams[0].open.has_value();
    return first ? *m_streams[0].open : *m_streams[1].open;
}

std::uint64_t LineStore::ordinalOf(std::size_t index, Part part) const
{
    if (part == Part::Both || index >= closed(part))
        return m_dropped + (part == Part::Both ? index : m_rows.size());
    return m_ordinals.at(streamOf(part))[index];
}

} // namespace belljar::ui
