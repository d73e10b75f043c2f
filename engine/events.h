// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/approval/approval.h"
#include "engine/clients/block_list.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"
#include "engine/policy/policies.h"
#include "engine/settings/engine_settings.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the engine tells and what it can be told: value types only, so they may cross threads.
namespace belljar {

using approval::Approval;
using approval::Precedent;
using approval::Remember;
using approval::ScopeOffer;
using clients::Blocked;
using policy::Assignment;
using policy::PolicyState;

/// The container engine, as seen from here.
enum class DockerState : std::uint8_t {
    Connecting, ///< not known yet
    Ready,
    Unreachable, ///< nothing answers; DockerStatus::message and ::advice say what and what to do
};

struct DockerStatus {
    DockerState state = DockerState::Connecting;
    std::string endpoint; ///< "/var/run/docker.sock"
    std::string version;  ///< "20.10.24", when Ready
    std::string message;  ///< "Docker is not running: ...", when Unreachable
    std::string advice;   ///< what a person can do about it
    friend bool operator==(const DockerStatus&, const DockerStatus&) = default;
};

/// An image that a person chose for a language in place of ours.
struct ChosenImage {
    std::string reference;
    bool present = false;
    std::string digest;
    std::uint64_t bytes = 0;
    execution::UnixMs createdAt = 0;
    std::string description; ///< what it says of itself
    friend bool operator==(const ChosenImage&, const ChosenImage&) = default;
};

/// One sandbox image that a language needs.
struct ImageStatus {
    std::string language; ///< "python"
    std::string title;    ///< "Python"
    std::string reference;
    bool present = false;
    std::string digest;
    std::uint64_t bytes = 0;
    execution::UnixMs createdAt = 0;
    std::string description;           ///< what is in it: "Python 3 with numpy, ..."
    std::string madeFrom;              ///< "registry", "distribution"
    bool upToDate = false;             ///< made of the recipe as it is now
    bool building = false;             ///< another is being made
    std::optional<ChosenImage> chosen; ///< programs run in this one instead
    friend bool operator==(const ImageStatus&, const ImageStatus&) = default;
};

/// Where a container is between its making and its removal.
enum class SandboxState : std::uint8_t {
    Starting,
    Warm, ///< waits for a program
    Busy, ///< a program runs in it
    Ending,
};

/// One container of this engine.
struct SandboxStatus {
    std::string id;
    std::string name; ///< that Docker gave it; empty until it is known
    std::string language;
    std::string image;
    std::string imageDigest;
    SandboxState state = SandboxState::Starting;
    execution::UnixMs madeAt = 0;
    ExecutionId execution;                    ///< that runs in it, when Busy
    std::optional<double> cpuPercent;         ///< of one core, over the last second or so
    std::optional<std::uint64_t> memoryBytes; ///< absent, as the one above: not known
    execution::Limits limits;
    friend bool operator==(const SandboxStatus&, const SandboxStatus&) = default;
};

/// The sandboxes of one language.
struct PoolStatus {
    std::string language;
    std::string title;
    std::uint32_t wanted = 0; ///< warm of each kind in use
    std::uint32_t most = 0;   ///< that may be wanted now
    std::uint32_t warm = 0;
    std::uint32_t starting = 0;
    std::uint32_t busy = 0;
    friend bool operator==(const PoolStatus&, const PoolStatus&) = default;
};

/// An execution was received or changed. Always the whole record.
struct ExecutionChanged {
    execution::Record record;
};
/// Output arrived. Already durable order: chunks of one execution come in the order the program
/// wrote them, as far as two pipes can tell.
struct OutputAppended {
    ExecutionId id;
    std::vector<execution::OutputChunk> chunks;
};
/// What is known of the files that it left, without their bytes; once, before it is final. Not told
/// where there is nothing to say.
struct FilesKnown {
    ExecutionId id;
    execution::RunFiles files;
};
struct SamplesTaken {
    ExecutionId id;
    std::vector<execution::Sample> samples;
};
struct ClientConnected {
    execution::Client client;
};
/// The handshake told more about a client that is connected already.
struct ClientChanged {
    execution::Client client;
};
struct ClientDisconnected {
    ClientId id;
};
struct DockerChanged {
    DockerStatus status;
};
struct ImagesChanged {
    std::vector<ImageStatus> images;
};
/// One line of an image build.
struct ImageBuildProgress {
    std::string language;
    std::string line;
};
struct ImageBuildEnded {
    std::string language;
    std::optional<Error> error;
};
/// Every second and on every change, while somebody looks (WatchSandboxes).
struct SandboxesChanged {
    std::vector<SandboxStatus> sandboxes; ///< the oldest first
    std::vector<PoolStatus> pools;        ///< in the order of the languages
    std::string problem;                  ///< of the file that keeps what was chosen; empty: none
};
/// Answers KillSandbox, SetPoolSize, RemoveImage and UseImage.
struct SandboxCommandDone {
    std::uint64_t token = 0;
    std::optional<Error> error;
};
/// Answers SubmitProgram: the execution has been received under this id, or why it wasn't.
struct ProgramSubmitted {
    std::uint64_t token = 0;
    Result<ExecutionId> result;
};
/// Asked, or something about the question has changed.
struct ApprovalAsked {
    Approval approval;
};
/// It waits no longer.
struct ApprovalSettled {
    ExecutionId id;
    execution::Verdict verdict = execution::Verdict::Deny;
    execution::DecidedBy by = execution::DecidedBy::Nobody;
    std::string
        reason; ///< "nobody answered", "the client cancelled", ...; foreign text may be in it
};
/// Answers AnalyseDraft.
struct DraftAnalysed {
    std::uint64_t token = 0;
    ExecutionId id;
    policy::Decision decision;
};
/// All that stand now, newest first.
struct RememberedChanged {
    std::vector<policy::Remembered> all;
};
/// Clients whose requests are rejected until the person lifts it.
struct StoppedSessionsChanged {
    std::vector<execution::Client> clients;
};

/// Clients whose calls are refused until the person unblocks them.
struct BlockedClientsChanged {
    std::vector<Blocked> all; ///< oldest first
};

/// While paused nothing new enters a sandbox.
struct PauseChanged {
    bool paused = false;
    execution::UnixMs since = 0; ///< of the last change; 0: never in this life of the engine
};

/// The policies, their files' state, and who gets which.
struct PoliciesChanged : policy::Policies {};
/// Answers SavePolicy, RestorePolicy, DeletePolicy, AssignPolicies and ConfirmPolicy.
struct PolicyCommandDone {
    std::uint64_t token = 0;
    std::optional<Error> error;
};
/// What verifying the audit log showed; also at every start.
struct AuditVerified {
    bool intact = false;
    std::int64_t rows = 0;
    execution::UnixMs at = 0;
    std::string message; ///< "row 17 was changed", in words
};

/// What a person attached to an execution has changed.
struct MarksChanged {
    ExecutionId id;
    execution::Marks marks;
};
/// Answers MarkExecution and DeleteExecutions where they failed, wholly or in part.
struct HistoryChangeFailed {
    std::uint64_t token = 0;
    Error error;
};
/// They are no longer in the history.
struct ExecutionsDeleted {
    std::uint64_t token = 0;
    std::vector<ExecutionId> ids;
};

/// What has become of MCP over HTTP.
struct HttpState {
    bool on = false;     ///< it is to be served
    std::string url;     ///< where it is; empty: nowhere
    std::string problem; ///< why it isn't, although it is on
    friend bool operator==(const HttpState&, const HttpState&) = default;
};
/// What is set about the engine, as the file has it.
struct SettingsChanged {
    EngineSettings settings;
    std::string problem; ///< why the file could not be read, so that these are the defaults
    HttpState http;
};
/// Answers ChangeSettings, RotateToken and CleanUp.
struct SettingsCommandDone {
    std::uint64_t token = 0;
    std::optional<Error> error;
};
/// Answers RevealToken: what HTTP clients have to show, or why there is none.
struct TokenRevealed {
    std::uint64_t token = 0; ///< of the command
    Result<std::string> secret;
};
/// What Belljar keeps on this machine. Answers MeasureData, and follows on CleanUp.
struct DataMeasured {
    std::string folder;
    std::uint64_t executions = 0;
    std::uint64_t historyBytes = 0; ///< of the history's files
    std::uint64_t historyUsed = 0;  ///< of them in use; the rest is room for what comes
    std::uint64_t logBytes = 0;     ///< of the log for people, not the audit log
    std::uint64_t expired = 0;      ///< executions that are to go by what is set
};

/// The engine ended by itself (the lock is held, the database can't be opened, ...).
struct EngineFailed {
    Error error;
};

using Event = std::variant<
    ExecutionChanged,
    OutputAppended,
    FilesKnown,
    SamplesTaken,
    ClientConnected,
    ClientChanged,
    ClientDisconnected,
    DockerChanged,
    ImagesChanged,
    ImageBuildProgress,
    ImageBuildEnded,
    SandboxesChanged,
    SandboxCommandDone,
    ProgramSubmitted,
    ApprovalAsked,
    ApprovalSettled,
    DraftAnalysed,
    RememberedChanged,
    StoppedSessionsChanged,
    BlockedClientsChanged,
    PauseChanged,
    PoliciesChanged,
    PolicyCommandDone,
    AuditVerified,
    EngineFailed,
    MarksChanged,
    HistoryChangeFailed,
    ExecutionsDeleted,
    SettingsChanged,
    SettingsCommandDone,
    TokenRevealed,
    DataMeasured>;

/// Runs a program on behalf of the person at the window.
struct SubmitProgram {
    std::uint64_t token = 0; ///< comes back in ProgramSubmitted
    std::string language;
    std::string code;
    std::vector<std::string> args;
    std::string standardInput;
    execution::Asked asked; ///< what is absent is the policy's to say
};
struct CancelExecution {
    ExecutionId id;
    std::string reason; ///< "stopped by the person"
};
struct BuildImage {
    std::string language;
};
/// Removes the image that Belljar made for the language.
struct RemoveImage {
    std::uint64_t token = 0;
    std::string language;
};
/// Somebody looks at the sandboxes, or no longer.
struct WatchSandboxes {
    bool watching = true;
};
/// Ends a sandbox: a program in it is cancelled, a warm one is replaced.
struct KillSandbox {
    std::uint64_t token = 0;
    std::string id;
};
/// Programs of the language run in this image of Docker from now on, in later lives too. It is
/// tried first: a sandbox has to start in it and a program to print "hello world".
struct UseImage {
    std::uint64_t token = 0;
    std::string language;
    std::string reference; ///< empty: the shipped one again, untried
};
/// How many are kept warm of each kind; kept for later lives.
struct SetPoolSize {
    std::uint64_t token = 0;
    std::string language;
    std::uint32_t size = 0;
};
/// Looks for Docker again now instead of at the next attempt.
struct RetryDocker {};
/// Sends everything that is true now again: clients, Docker, images, executions in flight.
struct SendSnapshot {};

/// The person's answer to the question that was on the screen: `shown` is the SHA-256 of the
/// code that was shown, of the edited one where there is an edit. Another code is another question.
struct AnswerApproval {
    ExecutionId id;
    std::string shown;
    execution::Verdict verdict = execution::Verdict::Deny; ///< Allow or Deny
    std::optional<std::string> editedCode;                 ///< runs instead
    std::string comment;                                   ///< to the client
    std::optional<Remember> remember;
    bool stopSession = false; ///< with Deny: rejects what follows from this client
};
/// Stops the clock of a question while somebody reads it, or lets it go on.
struct HoldApproval {
    ExecutionId id;
    bool held = true;
};
/// What would be decided of an edited program.
struct AnalyseDraft {
    std::uint64_t token = 0;
    ExecutionId id;
    std::string code;
};
struct RevokeRemembered {
    std::vector<std::string> ids; ///< empty: all
};
struct LiftStoppedSession {
    ClientId client;
};
/// Ends a client's connection; its runs are cancelled. It may connect again.
struct DisconnectClient {
    ClientId client;
};
/// Refuses the calls of every client that calls itself so and is that program, also after a
/// restart, and ends its connections.
struct BlockClient {
    std::string name;
    std::string executable;
};
struct UnblockClient {
    std::string name;
    std::string executable;
};
/// Holds everything that is on its way to a sandbox, or lets it go on. What runs goes on.
struct PauseRuns {
    bool paused = true;
};
struct SavePolicy {
    std::uint64_t token = 0;
    std::string name; ///< letters, digits, '-'; a new one is made
    std::string text;
    std::string note;
};
struct RestorePolicy {
    std::uint64_t token = 0;
    std::string name;
    std::int64_t version = 0;
};
struct DeletePolicy {
    std::uint64_t token = 0;
    std::string name;
};
struct AssignPolicies {
    std::uint64_t token = 0;
    std::vector<Assignment> assignments;
    std::string defaultPolicy;
};
/// Takes a change on disk that loosens a policy into force, or puts the file back.
struct ConfirmPolicy {
    std::uint64_t token = 0;
    std::string name;
    std::string sha256; ///< of the text that was shown
    bool accept = false;
};
struct VerifyAudit {};
/// There is a window that can ask (a person). Without one, questions go to the client or are
/// denied.
struct ListenForApprovals {
    bool listening = true;
};

/// Replaces what the person attached to an execution. Answers: MarksChanged, HistoryChangeFailed.
struct MarkExecution {
    std::uint64_t token = 0;
    ExecutionId id;
    execution::Marks marks;
};
/// Deletes ended executions from the history; the audit log says so and keeps its rows. Answers:
/// ExecutionsDeleted with those that are gone, HistoryChangeFailed.
struct DeleteExecutions {
    std::uint64_t token = 0;
    std::vector<ExecutionId> ids;
};

/// Takes effect at once, but for the container engine, which is another after a restart, and is
/// kept. Answers: SettingsCommandDone, SettingsChanged.
struct ChangeSettings {
    std::uint64_t token = 0;
    EngineSettings settings;
};
/// Makes another token for HTTP clients; the old one, and what is connected by it, ends at once.
struct RotateToken {
    std::uint64_t token = 0;
};
struct RevealToken {
    std::uint64_t token = 0;
};
struct MeasureData {};
/// Deletes what is to go by what is set, without waiting for its time.
struct CleanUp {
    std::uint64_t token = 0;
};

using Command = std::variant<
    SubmitProgram,
    CancelExecution,
    BuildImage,
    RemoveImage,
    UseImage,
    WatchSandboxes,
    KillSandbox,
    SetPoolSize,
    RetryDocker,
    SendSnapshot,
    AnswerApproval,
    HoldApproval,
    AnalyseDraft,
    RevokeRemembered,
    LiftStoppedSession,
    DisconnectClient,
    BlockClient,
    UnblockClient,
    PauseRuns,
    SavePolicy,
    RestorePolicy,
    DeletePolicy,
    AssignPolicies,
    ConfirmPolicy,
    VerifyAudit,
    ListenForApprovals,
    MarkExecution,
    DeleteExecutions,
    ChangeSettings,
    RotateToken,
    RevealToken,
    MeasureData,
    CleanUp>;

} // namespace belljar
