// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest MCP client: JSON-RPC lines over a process's pipes, every message kept as it came.

import { spawn } from 'node:child_process';
import { Conformity } from './conformity.mjs';
import { belljar } from './surroundings.mjs';

export class Wire {
  /// Whether messages are held against the schemas; what measures doesn't want to wait for that.
  static checks = true;

  /// Starts `belljar stdio` (or another command) with `environment`.
  constructor(environment, { command = belljar, args = ['stdio'] } = {}) {
    this.lines = [];     // every line of stdout
    this.messages = [];  // parsed
    this.problems = [];  // lines that are no JSON-RPC message
    this.stderr = '';
    this.onNotification = () => {};
    this.#waiting = new Map();
    this.process = spawn(command, args, { env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
    this.process.stdin.on('error', () => {});
    this.process.stderr.on('data', (bytes) => { this.stderr = (this.stderr + bytes).slice(-100_000); });
    this.exited = new Promise((resolve) => {
      this.process.on('error', (error) => resolve({ error }));
      this.process.on('close', (code, signal) => resolve({ code, signal }));
    });
    this.exited.then((how) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`belljar stdio ended: ${JSON.stringify(how)} ${this.stderr.slice(-500)}`));
      this.#waiting.clear();
    });
    const parts = []; // of the line that hasn't ended yet
    this.process.stdout.on('data', (bytes) => {
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        parts.push(bytes.subarray(from, at));
        this.#take(Buffer.concat(parts.splice(0)));
        from = at + 1;
      }
      if (from < bytes.length) parts.push(bytes.subarray(from));
    });
  }

  #waiting;
  #conformity = new Conformity();
  #nextId = 1;

  #take(raw) {
    const line = raw.toString('utf8');
    this.lines.push(line);
    let message;
    try {
      message = JSON.parse(line);
      if (message?.jsonrpc !== '2.0') throw new Error('no JSON-RPC');
      if (!Buffer.from(line, 'utf8').equals(raw)) throw new Error('no UTF-8');
    } catch (error) {
      this.problems.push(`${error.message}: ${line.slice(0, 200)}`);
      return;
    }
    this.messages.push(message);
    if (Wire.checks) this.#conformity.received(message);
    if (message.method !== undefined && message.id === undefined) return this.onNotification(message);
    if (message.method !== undefined) {
      return this.send({ jsonrpc: '2.0', id: message.id, ...(message.method === 'ping' ? { result: {} } : { error: { code: -32601, message: 'unknown' } }) });
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    waiting?.resolve(message);
  }

  send(message) { this.sendLine(JSON.stringify(message)); }
  sendLine(line) {
    try { if (Wire.checks) this.#conformity.sent(JSON.parse(line)); } catch { /* that is what some tests are about */ }
    this.process.stdin.write(`${line}\n`);
  }
  notify(method, params) { this.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) }); }

  /// Sends a request; `answer` resolves to the whole response message.
  begin(method, params, { id = this.#nextId++, waitMs = 120_000 } = {}) {
    const answer = new Promise((resolve, reject) => {
      const timer = setTimeout(() => { this.#waiting.delete(id); reject(new Error(`no answer to ${method} in ${waitMs} ms ${this.stderr.slice(-500)}`)); }, waitMs);
      const settle = (how) => (value) => { clearTimeout(timer); how(value); };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
    answer.catch(() => {}); // the caller may have gone on
    this.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    return { id, answer };
  }

  async request(method, params, options) { return this.begin(method, params, options).answer; }

  async initialize(protocolVersion = '2025-11-25', clientInfo = { name: 'wire', version: '1' }) {
    const response = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return response;
  }

  /// tools/call; resolves to the response message.
  call(name, args, extra = {}) { return this.begin('tools/call', { name, arguments: args, ...extra }); }

  /// Runs a program and resolves to the structured result; throws where the call itself failed.
  async execute(language, code, args = {}) {
    const response = await this.call('execute_code', { language, code, ...args }).answer;
    const result = response.result?.structuredContent;
    if (!result) throw new Error(`execute_code gave no result: ${JSON.stringify(response).slice(0, 500)}`);
    return result;
  }

  /// Closes stdin, as a client does that leaves, and waits for the end.
  async close() {
    this.process.stdin.end();
    const slow = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    const how = await this.exited;
    clearTimeout(slow);
    return how;
  }
}
