<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Effect</name>
    <message numerus="yes">
        <source>%n the same</source>
        <translation>
            <numerusform>%n the same</numerusform>
            <numerusform>%n the same</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would be allowed</source>
        <translation>
            <numerusform>%n would be allowed</numerusform>
            <numerusform>%n would be allowed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would ask</source>
        <translation>
            <numerusform>%n would ask</numerusform>
            <numerusform>%n would ask</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would be denied</source>
        <translation>
            <numerusform>%n would be denied</numerusform>
            <numerusform>%n would be denied</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n would get other limits</source>
        <translation>
            <numerusform>%n would get other limits</numerusform>
            <numerusform>%n would get other limits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n remembered decision(s) end with the policy they were made under</source>
        <translation>
            <numerusform>%n remembered decision ends with the policy it was made under</numerusform>
            <numerusform>%n remembered decisions end with the policy they were made under</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; they answered %n of these.</source>
        <translation>
            <numerusform>; it answered %n of these.</numerusform>
            <numerusform>; they answered %n of these.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalCard</name>
    <message numerus="yes">
        <source>%n invisible or unusual character(s), written as \u{…}</source>
        <translation>
            <numerusform>%n invisible or unusual character, written as \u{…}</numerusform>
            <numerusform>%n invisible or unusual characters, written as \u{…}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n letter(s), quote(s) or blank(s) that look like others, written as \u{…}</source>
        <translation>
            <numerusform>%n letter, quote or blank that looks like another, written as \u{…}</numerusform>
            <numerusform>%n letters, quotes or blanks that look like others, written as \u{…}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n long run(s) of blank lines, shown counted</source>
        <translation>
            <numerusform>%n long run of blank lines, shown counted</numerusform>
            <numerusform>%n long runs of blank lines, shown counted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n long gap(s) in lines, shown counted</source>
        <translation>
            <numerusform>%n long gap in a line, shown counted</numerusform>
            <numerusform>%n long gaps in lines, shown counted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of over 2,000 characters, broken with ↩</source>
        <translation>
            <numerusform>%n line of over 2,000 characters, broken with ↩</numerusform>
            <numerusform>%n lines of over 2,000 characters, broken with ↩</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalNotifier</name>
    <message numerus="yes">
        <source>%n program(s) wait for your answer</source>
        <translation>
            <numerusform>%n program waits for your answer</numerusform>
            <numerusform>%n programs wait for your answer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ApprovalsScreen</name>
    <message numerus="yes">
        <source>All %n remembered decision(s) are revoked. What they answered is asked again.</source>
        <translation>
            <numerusform>The %n remembered decision is revoked. What it answered is asked again.</numerusform>
            <numerusform>All %n remembered decisions are revoked. What they answered is asked again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n question(s) settled by the decision that you have just remembered.</source>
        <translation>
            <numerusform>%n question settled by the decision that you have just remembered.</numerusform>
            <numerusform>%n questions settled by the decision that you have just remembered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n program(s) wait for you</source>
        <translation>
            <numerusform>%n program waits for you</numerusform>
            <numerusform>%n programs wait for you</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ChangeView</name>
    <message numerus="yes">
        <source>… (%n more line(s) change)</source>
        <translation>
            <numerusform>… (%n more line changes)</numerusform>
            <numerusform>… (%n more lines change)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::ClientsModel</name>
    <message numerus="yes">
        <source>%n connections</source>
        <translation>
            <numerusform>%n connection</numerusform>
            <numerusform>%n connections</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::CodeView</name>
    <message numerus="yes">
        <source>%n unusual character(s), written as \u{…}</source>
        <translation>
            <numerusform>%n unusual character, written as \u{…}</numerusform>
            <numerusform>%n unusual characters, written as \u{…}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::CompareDialog</name>
    <message numerus="yes">
        <source>%1 (%n line(s) differ)</source>
        <translation>
            <numerusform>%1 (%n line differs)</numerusform>
            <numerusform>%1 (%n lines differ)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::DiffView</name>
    <message numerus="yes">
        <source>%n place(s) differ</source>
        <translation>
            <numerusform>%n place differs</numerusform>
            <numerusform>%n places differ</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::EffectView</name>
    <message numerus="yes">
        <source>%n more had no analysis on record.</source>
        <translation>
            <numerusform>%n more had no analysis on record.</numerusform>
            <numerusform>%n more had no analysis on record.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n execution(s), as if this policy decided them all, now.</source>
        <translation>
            <numerusform>The last execution, as if this policy decided it now.</numerusform>
            <numerusform>The last %n executions, as if this policy decided them all, now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::EngineRows</name>
    <message numerus="yes">
        <source>Delete %n run(s) from the history?</source>
        <translation>
            <numerusform>Delete %n run from the history?</numerusform>
            <numerusform>Delete %n runs from the history?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::FilesView</name>
    <message numerus="yes">
        <source>%n file(s) kept</source>
        <translation>
            <numerusform>%n file kept</numerusform>
            <numerusform>%n files kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not</source>
        <translation>
            <numerusform>%n not</numerusform>
            <numerusform>%n not</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::JsonEditor</name>
    <message numerus="yes">
        <source>(F8: %n more)</source>
        <translation>
            <numerusform>(F8: %n more)</numerusform>
            <numerusform>(F8: %n more)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::MainWindow</name>
    <message numerus="yes">
        <source>Belljar – %n running</source>
        <translation>
            <numerusform>Belljar – %n running</numerusform>
            <numerusform>Belljar – %n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Belljar: %n waiting for you</source>
        <translation>
            <numerusform>Belljar: %n waiting for you</numerusform>
            <numerusform>Belljar: %n waiting for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Belljar: %n running</source>
        <translation>
            <numerusform>Belljar: %n running</numerusform>
            <numerusform>Belljar: %n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Quit and stop %n run(s)?</source>
        <translation>
            <numerusform>Quit and stop %n run?</numerusform>
            <numerusform>Quit and stop %n runs?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::PoliciesScreen</name>
    <message numerus="yes">
        <source>● %n value(s) differ from what is in force</source>
        <translation>
            <numerusform>● %n value differs from what is in force</numerusform>
            <numerusform>● %n values differ from what is in force</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The rule &quot;%1&quot; is a draft, not saved yet. Of the last %n execution(s): </source>
        <translation>
            <numerusform>The rule &quot;%1&quot; is a draft, not saved yet. Of the last execution: </numerusform>
            <numerusform>The rule &quot;%1&quot; is a draft, not saved yet. Of the last %n executions: </numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::PresetDialog</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunActions</name>
    <message numerus="yes">
        <source>Delete %n run(s) from the history?</source>
        <translation>
            <numerusform>Delete %n run from the history?</numerusform>
            <numerusform>Delete %n runs from the history?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation>
            <numerusform>%n run deleted</numerusform>
            <numerusform>%n runs deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::RunsView</name>
    <message numerus="yes">
        <source>Held, %n new – Space lets them in</source>
        <translation>
            <numerusform>Held, %n new – Space lets it in</numerusform>
            <numerusform>Held, %n new – Space lets them in</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new run(s) – show and follow</source>
        <translation>
            <numerusform>%n new run – show and follow</numerusform>
            <numerusform>%n new runs – show and follow</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n client(s)</source>
        <translation>
            <numerusform>%n client</numerusform>
            <numerusform>%n clients</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::Tray</name>
    <message numerus="yes">
        <source>Open &amp;approvals (%n waiting)</source>
        <translation>
            <numerusform>Open &amp;approvals (%n waiting)</numerusform>
            <numerusform>Open &amp;approvals (%n waiting)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::VersionsDialog</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>belljar::ui::VersionsView</name>
    <message numerus="yes">
        <source>%n version(s)</source>
        <translation>
            <numerusform>%n version</numerusform>
            <numerusform>%n versions</numerusform>
        </translation>
    </message>
</context>
</TS>
