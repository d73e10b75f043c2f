// SPDX-License-Identifier: GPL-3.0-or-later
// Where a test runs: the program under test, a home of its own, and a look at what is left on the machine.

import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const shared = path.resolve(root, '../shared');
export const belljar = path.resolve(process.env.BELLJAR_BIN ?? path.join(root, 'build/dev/bin/belljar'));

/// A file of ../shared, or an error that says what is missing.
export function sharedFile(...parts) {
  const file = path.join(shared, ...parts);
  if (!fs.existsSync(file)) throw new Error(`the tests read ${file}, which is missing`);
  return file;
}

/// Waits until `condition` gives a true value and returns that; fails after `limitMs`, naming `what`.
/// The pause is between two looks at the outside world (processes, containers, files), which tells nobody when it changes.
export async function eventually(what, condition, limitMs = 10_000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/// A private home: no test sees the engine, history or settings of another or of the person who runs them.
export class Home {
  /// Without a policy named, everything runs in the default container within the default limits: what is tested is the sandbox.
  constructor({ policy = 'tests' } = {}) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'belljar-test-'));
    for (const name of ['config', 'config/belljar', 'config/belljar/policies', 'data', 'state', 'cache', 'run']) fs.mkdirSync(path.join(this.folder, name), { mode: 0o700 });
    const shipped = JSON.parse(fs.readFileSync(new URL('../../resources/policies/balanced.json', import.meta.url), 'utf8'));
    shipped.approval.rules = [{ name: 'unread too', when: { analysis_complete: false }, then: 'allow' }];
    this.writePolicy('tests', shipped);
    this.assign(policy);
  }

  writePolicy(name, document) {
    const text = typeof document === 'string' ? document : JSON.stringify(document, null, 2);
    fs.writeFileSync(path.join(this.folder, `config/belljar/policies/${name}.json`), text, { mode: 0o600 });
  }

  assign(policy, clients = []) {
    fs.writeFileSync(path.join(this.folder, 'config/belljar/assignments.json'), JSON.stringify({ default: policy, clients }), { mode: 0o600 });
  }

  /// The environment of a program that lives in this home.
  environment(extra = {}) {
    const at = (name) => path.join(this.folder, name);
    return {
      PATH: process.env.PATH, HOME: this.folder, LANG: 'C.UTF-8',
      XDG_CONFIG_HOME: at('config'), XDG_DATA_HOME: at('data'), XDG_STATE_HOME: at('state'),
      XDG_CACHE_HOME: at('cache'), XDG_RUNTIME_DIR: at('run'),
      ...(process.env.DOCKER_HOST ? { DOCKER_HOST: process.env.DOCKER_HOST } : {}),
      ...(process.env.BELLJAR_LOG ? { BELLJAR_LOG: process.env.BELLJAR_LOG } : {}),
      ...extra,
    };
  }

  get historyFile() { return path.join(this.folder, 'data/belljar/history.db'); }

  /// The process that hosts the engine of this home, or undefined.
  enginePid() {
    try {
      const pid = Number.parseInt(fs.readFileSync(path.join(this.folder, 'run/belljar/engine.lock'), 'utf8'), 10);
      return pid > 0 && isRunning(pid) ? pid : undefined;
    } catch { return undefined; }
  }

  /// Ids of the containers, running or not, whose runner comes from this home.
  async containers() {
    const { stdout } = await run('docker', ['ps', '-aq', '--no-trunc', '--filter', 'label=io.belljar.engine']);
    const ids = stdout.split('\n').filter(Boolean);
    const mine = await Promise.all(ids.map(async (id) => {
      try {
        const { stdout: config } = await run('docker', ['inspect', '--format', '{{json .HostConfig.Binds}}{{json .HostConfig.Mounts}}', id]);
        return config.includes(this.folder) ? id : undefined;
      } catch { return undefined; } // gone meanwhile
    }));
    return mine.filter(Boolean);
  }

  async noContainerIsLeft(limitMs = 10_000) {
    await eventually('all containers of this test are gone', async () => (await this.containers()).length === 0, limitMs);
  }

  /// Rows of the history: [{...}] for a SELECT.
  async history(select) {
    const { stdout } = await run('sqlite3', ['-readonly', '-json', this.historyFile, select]);
    return stdout.trim() ? JSON.parse(stdout) : [];
  }

  /// Ends the engine if one is left and takes the home away.
  async remove() {
    const pid = this.enginePid();
    if (pid) {
      process.kill(pid, 'SIGTERM');
      try { await eventually('the engine ends', () => !isRunning(pid), 10_000); } catch { process.kill(pid, 'SIGKILL'); }
    }
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export function isRunning(pid) {
  try {
    const state = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')[0];
    return state !== 'Z' && state !== 'X';
  } catch { return false; }
}

/// Host processes whose command line holds `word`.
export function processesWith(word) {
  return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).filter((pid) => {
    try { return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word); } catch { return false; }
  });
}

/// A memory figure of a process in bytes: VmHWM (the highest resident size so far), VmRSS, ...
export function memoryOf(pid, name) {
  const line = fs.readFileSync(`/proc/${pid}/status`, 'latin1').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'));
  return Number(line[1]) * 1024;
}

/// Starts `belljar serve` in `home` and resolves once it accepts connections.
export async function serve(home, extraEnvironment = {}) {
  const child = spawn(belljar, ['serve'], { env: home.environment(extraEnvironment), stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes) => { said = (said + bytes).slice(-4000); });
  const socket = path.join(home.folder, 'run/belljar/mcp.sock');
  await eventually('belljar serve listens', () => {
    if (child.exitCode !== null) throw new Error(`belljar serve ended with ${child.exitCode}: ${said}`);
    return fs.existsSync(socket) && home.enginePid() === child.pid;
  });
  return child;
}

/// Runs a program to its end: {code, stdout, stderr} as text.
export async function output(command, args, options = {}) {
  try {
    const { stdout, stderr } = await run(command, args, { maxBuffer: 256 * 1024 * 1024, ...options });
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (typeof error.code !== 'number' && !error.signal) throw error;
    return { code: error.code ?? error.signal, stdout: error.stdout, stderr: error.stderr };
  }
}
