// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace belljar::store {

/// The prepared statements of one connection, each prepared once. Dies before the connection.
class Statements {
public:
    /// One use of a statement; afterwards it is reset, so it holds neither a lock nor what was
    /// bound.
    class Use {
    public:
        explicit Use(SQLite::Statement& statement)
            : m_statement(statement)
        {}
        ~Use()
        {
            static_cast<void>(m_statement.tryReset());
            m_statement.clearBindings();
        }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        SQLite::Statement* operator->() { return &m_statement; }
        SQLite::Statement& operator*() { return m_statement; }

    private:
        SQLite::Statement& m_statement;
    };

    explicit Statements(SQLite::Database& database)
        : m_database(database)
    {}

    /// The statement for `sql`, which is never made of foreign text. Throws
    /// SQLite::Exception.
    [[nodiscard]] Use prepared(const std::string& sql)
    {
        const auto found = m_statements.find(sql);
        if (found != m_statements.end())
            return Use(found->second);
        return Use(m_statements.emplace(sql, SQLite::Statement(m_database, sql)).first->second);
    }

private:
    SQLite::Database& m_database;
    std::unordered_map<std::string, SQLite::Statement> m_statements;
};

} // namespace belljar::store
