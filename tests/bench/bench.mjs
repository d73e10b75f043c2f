// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a user waits for, as ratios to baselines of the same run, and holds them against the bounds.
//   BELLJAR_BIN=build/release/bin/belljar node tests/bench/bench.mjs [PART OF A NAME...]
// The last line is 'N passed, N failed'. Only a release build says anything.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { belljar, eventually, Home, isRunning, memoryOf, output, serve, sharedFile } from '../lib/surroundings.mjs';
import { Wire } from '../lib/wire.mjs';

const kRounds = 30;
Wire.checks = false;
const MB = 1e6;
const program = 'print(1)';

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const format = (ms) => `${ms.toFixed(1)} ms`;

async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/// The start of a process until its end, as a shell or a client would wait for it.
const spawned = (command, args) => new Promise((resolve, reject) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (bytes) => { said += bytes; });
  child.on('error', reject);
  child.on('close', (code) => (code === 0 && said === '1\n' ? resolve() : reject(new Error(`${command} ended with ${code}: ${said}`))));
});

/// The limits and bars of our sandbox, as far as docker run has them.
const dockerRun = ['run', '--rm', '--network', 'none', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', '65532:65532',
  '--memory', '512m', '--memory-swap', '512m', '--cpus', '0.5', '--pids-limit', '50', '--tmpfs', '/workspace:size=64m,uid=65532,gid=65532',
  '--tmpfs', '/tmp:size=64m', '--log-driver', 'none', '--workdir', '/workspace', 'belljar/python', 'python3', '-c', program];

/// A warm container waits once its start is over: one more in state running than runs in progress (none here).
async function poolIsWarm(home) {
  await eventually('a warm sandbox waits', async () => (await home.containers()).length > 0, 20_000);
}

async function measureCalls() {
  const home = new Home({ policy: 'balanced' });
  const wire = new Wire(home.environment());
  await wire.initialize();
  const call = async () => {
    const result = await wire.execute('python', program);
    if (result.stdout !== '1\n') throw new Error(JSON.stringify(result));
  };
  await call(); // the first one starts the pool
  // An unmeasured one of each, so that files are in the page cache for all alike.
  const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim();
  await spawned(python, ['-c', program]);
  await spawned('docker', dockerRun);

  const warm = [], bare = [], docker = [];
  for (let round = 0; round < kRounds; round++) {
    await poolIsWarm(home);
    // The refill's own work ends a moment after its container shows: measure the product, not the refill.
    await new Promise((resolve) => setTimeout(resolve, 400));
    warm.push(await timed(call));
    bare.push(await timed(() => spawned(python, ['-c', program])));
    if (round % 3 === 0) docker.push(await timed(() => spawned('docker', dockerRun)));
  }
  const sequence = await timed(async () => { for (let i = 0; i < 10; i++) await call(); }) / 10;
  await wire.close();
  await home.noContainerIsLeft();
  await home.remove();
  return { warm: median(warm), bare: median(bare), docker: median(docker), sequence };
}

/// There and back through belljar stdio, with the engine running: the older era's ping and the modern server/discover.
async function measureRoundTrips() {
  const home = new Home();
  const engine = await serve(home);
  const wire = new Wire(home.environment());
  await wire.initialize();
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const requests = { ping: undefined, 'server/discover': { _meta: meta } };
  const took = {};
  for (const [method, params] of Object.entries(requests)) {
    const times = [];
    for (let round = 0; round < 600; round++) times.push(await timed(() => wire.request(method, params)));
    took[method] = median(times.slice(100));
  }
  await wire.close();
  engine.kill('SIGTERM');
  await eventually('the engine ends', () => !isRunning(engine.pid));
  await home.remove();
  return took;
}

async function measureIdleMemory() {
  const home = new Home();
  const engine = await serve(home);
  // Idle is after it has found Docker and looked for what an earlier life left.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const bytes = memoryOf(engine.pid, 'VmRSS');
  engine.kill('SIGTERM');
  await eventually('the engine ends', () => !isRunning(engine.pid));
  await home.remove();
  return bytes;
}

/// Under a display of its own: from the start of the process to the moment its window is on the screen.
async function measureWindow() {
  const desktop = path.join(path.dirname(belljar), 'belljar-desktop');
  const home = new Home();
  const displayFile = path.join(home.folder, 'display');
  const descriptor = fs.openSync(displayFile, 'w+');
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  try {
    const display = `:${(await eventually('Xvfb is ready', () => fs.readFileSync(displayFile, 'utf8').trim()))}`;
    const environment = home.environment({ DISPLAY: display, QT_QPA_PLATFORM: 'xcb' });
    const manager = spawn('openbox', [], { env: environment, stdio: 'ignore' });
    const times = [];
    for (let round = 0; round < 5; round++) {
      let child;
      times.push(await timed(async () => {
        child = spawn(desktop, [], { env: environment, stdio: 'ignore' });
        const found = await output('timeout', ['15', 'xdotool', 'search', '--sync', '--onlyvisible', '--pid', String(child.pid)], { env: environment });
        if (!/\d/.test(found.stdout)) throw new Error(`no window: ${found.stderr}`);
      }));
      child.kill('SIGTERM');
      await eventually('belljar-desktop ends', () => !isRunning(child.pid), 10_000).catch(() => child.kill('SIGKILL'));
    }
    manager.kill();
    return median(times);
  } finally {
    server.kill();
    fs.closeSync(descriptor);
    await home.remove();
  }
}

/// The programs of ../shared/programs in one language, as they are run: code that nobody here wrote.
function foreignPrograms(language) {
  const rows = zlib.gunzipSync(fs.readFileSync(sharedFile('programs', `humaneval_${language}.jsonl.gz`))).toString('utf8').trim().split('\n');
  return rows.map((row) => JSON.parse(row)).map((row) => `${row.prompt ?? row.declaration}${row.canonical_solution}\n${row.test}\n`);
}

/// Rounds inside of the engine: belljar_bench_decision.cpp.
async function decisionBench(home, what, language, code, rounds) {
  const file = path.join(home.folder, `program.${language}`);
  fs.writeFileSync(file, code);
  const found = await output(path.join(path.dirname(belljar), 'belljar_bench_decision'), [what, language, file, String(rounds)], { env: home.environment() });
  if (found.code !== 0) throw new Error(`belljar_bench_decision: ${found.stderr}`);
  return JSON.parse(found.stdout);
}

/// From a request's arrival until it may go to a sandbox: its row, analysis, policy and the rows of the audit log, all durable.
async function measureDecision() {
  const lines = foreignPrograms('python').join('').split('\n');
  const home = new Home({ policy: 'balanced' });
  try {
    const found = await decisionBench(home, 'decide', 'python', `${lines.slice(0, 99).join('\n')}\n`, 100);
    if (found.verdict !== 'allow' || found.policy !== 'balanced') throw new Error(`decided otherwise: ${JSON.stringify(found)}`);
    const rows = await home.history("SELECT type, count(*) AS count FROM audit WHERE type IN ('request_received', 'decided') GROUP BY type");
    if (rows.length !== 2 || rows.some((row) => row.count !== 100)) throw new Error(`audit rows are missing: ${JSON.stringify(rows)}`);
    return found.milliseconds;
  } finally { await home.remove(); }
}

/// 1 MB of different programs, one after another.
function megabyteOf(suffix) {
  const programs = foreignPrograms(suffix);
  let code = '';
  for (let at = 0; code.length < MB; at++) code += programs[at % programs.length];
  return code;
}

/// How much slower this machine is now than the one that bounds in milliseconds are for: one on which python3 itself needs
/// 400 ms to parse (ast.parse) 1 MB. A faster one gets no tighter bounds.
const kReferenceParseMs = 400;
async function measureSlowness() {
  const home = new Home();
  try {
    const file = path.join(home.folder, 'reference.py');
    fs.writeFileSync(file, megabyteOf('python'));
    const parses = `import ast, time; text = open(${JSON.stringify(file)}).read(); began = time.perf_counter(); ast.parse(text); print((time.perf_counter() - began) * 1000)`;
    const took = [];
    for (let round = 0; round < 5; round++) took.push(Number((await output('python3', ['-c', parses])).stdout));
    return { parse: median(took), factor: Math.max(1, median(took) / kReferenceParseMs) };
  } finally { await home.remove(); }
}

async function measureAnalysis(language, suffix) {
  const home = new Home();
  try {
    const found = await decisionBench(home, 'analyse', language, megabyteOf(suffix), 9);
    if (!found.complete) throw new Error('the analysis did not look at everything');
    return median(found.milliseconds);
  } finally { await home.remove(); }
}

let passed = 0, failed = 0;
function judge(what, value, bound, good) {
  console.log(`${good ? 'pass' : 'FAIL'}  ${what.padEnd(58)} ${value.padStart(12)}   bound ${bound}`);
  if (good) passed++; else failed++;
}

/// Words of the command line name what is measured, none: all of it.
const wanted = process.argv.slice(2);
async function measured(what, action) {
  if (wanted.length && !wanted.some((word) => what.includes(word))) return undefined;
  try { return await action(); } catch (error) {
    console.log(`FAIL  ${what}: ${error.message}`);
    failed++;
    return undefined;
  }
}

const calls = await measured('warm execute_code', measureCalls);
if (calls) {
  console.log(`medians of ${kRounds}: warm execute_code ${format(calls.warm)}, bare python3 -c ${format(calls.bare)}, docker run ${format(calls.docker)}; ten in a row ${format(calls.sequence)} each`);
  judge('warm execute_code against bare python3 -c', `${(calls.warm / calls.bare).toFixed(2)}x`, '<= 2.50x', calls.warm / calls.bare <= 2.5);
  judge('docker run --rm with the same limits against it', `${(calls.docker / calls.warm).toFixed(1)}x`, '>= 8.0x', calls.docker / calls.warm >= 8);
}
const slowness = await measureSlowness();
console.log(`python3's own ast.parse of 1 MB: ${format(slowness.parse)}; bounds in ms are for ${kReferenceParseMs} ms, here they are ${slowness.factor.toFixed(2)} times as long`);
const decision = await measured('decision', measureDecision);
if (decision) {
  const ordered = [...decision].sort((a, b) => a - b);
  console.log(`decision on a 100-line program: median ${median(decision).toFixed(2)} ms, 95 of 100 within ${ordered[94].toFixed(2)} ms, bare python3 -c ${calls ? format(calls.bare) : '(not measured)'}`);
  judge('analysis, policy and durable audit rows, 100 lines', `${median(decision).toFixed(2)} ms`, `< ${(3 * slowness.factor).toFixed(2)} ms`, median(decision) < 3 * slowness.factor);
}
for (const [language, suffix] of [['python', 'python'], ['javascript', 'js']]) {
  const took = await measured(`analysis of ${language}`, () => measureAnalysis(language, suffix));
  if (!took) continue;
  console.log(`analysis of 1 MB of ${language}: ${(took / slowness.parse).toFixed(2)} times what python3 needs to parse as much python`);
  judge(`analysis of 1 MB of ${language}`, format(took), `< ${format(300 * slowness.factor)}`, took < 300 * slowness.factor);
}
const http = await measured('requests over HTTP', async () => JSON.parse((await output(path.join(path.dirname(belljar), 'belljar_bench_http'), [])).stdout));
if (http) {
  console.log(`requests a second on one connection: ping ${http.mcp}, a bare Beast echo server ${http.bare} (${(http.mcp / http.bare).toFixed(2)} of it)`);
  judge('ping over HTTP on one connection', `${http.mcp}/s`, `> ${Math.round(5000 / slowness.factor)}/s`, http.mcp > 5000 / slowness.factor);
}
const trips = await measured('round trips', measureRoundTrips);
for (const [method, ms] of Object.entries(trips ?? {}))
  judge(`${method} through belljar stdio, there and back`, `${ms.toFixed(3)} ms`, `< ${(1 * slowness.factor).toFixed(2)} ms`, ms < 1 * slowness.factor);
const idle = await measured('idle belljar serve', measureIdleMemory);
if (idle) judge('resident memory of belljar serve, idle', `${(idle / MB).toFixed(1)} MB`, '< 60 MB', idle < 60 * MB);
const window = await measured('desktop window', measureWindow);
if (window) judge('desktop window visible after its start', format(window), '< 1000 ms', window < 1000);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
