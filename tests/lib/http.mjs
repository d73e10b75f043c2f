// SPDX-License-Identifier: GPL-3.0-or-later
// belljar serve --http in a home of its own, and the least of an HTTP client: bytes on a socket.

import { execFile, spawn } from 'node:child_process';
import net from 'node:net';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { belljar, eventually, Home } from './surroundings.mjs';

const run = promisify(execFile);

export class HttpServer {
  /// Serves on a port that is free; `args` go to belljar serve besides.
  static async start({ home = new Home(), args = [], address = '127.0.0.1' } = {}) {
    const server = new HttpServer();
    server.home = home;
    server.said = '';
    server.process = spawn(belljar, ['serve', '--http', `${address}:0`, ...args], { env: home.environment(), stdio: ['ignore', 'ignore', 'pipe'] });
    server.process.stderr.on('data', (bytes) => { server.said = (server.said + bytes).slice(-8000); });
    await eventually('belljar serves HTTP', () => {
      if (server.process.exitCode !== null) throw new Error(`belljar serve ended with ${server.process.exitCode}: ${server.said}`);
      server.url = server.said.match(/serving MCP at (https?:\S+)/)?.[1];
      return server.url && server.said.includes('mcp.sock');
    });
    server.port = Number(new URL(server.url).port);
    server.token = await server.tokenCommand('show');
    return server;
  }

  async tokenCommand(command) {
    const { stdout } = await run(belljar, ['token', command], { env: this.home.environment() });
    return stdout.trim();
  }

  /// What a request that is let in carries.
  get headers() {
    return { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  }

  /// POST of one JSON-RPC message, with the session's id where there is one.
  async post(message, { session, headers = {}, signal } = {}) {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    return fetch(this.url, { method: 'POST', headers: { ...this.headers, ...(session ? { 'Mcp-Session-Id': session } : {}), ...headers }, body, signal });
  }

  /// A session of the revision: its id.
  async begin(protocolVersion = '2025-11-25') {
    const answer = await this.post({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } } });
    await answer.text();
    const session = answer.headers.get('mcp-session-id');
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { session });
    return session;
  }

  /// Bytes on a connection of their own.
  async connect() {
    const socket = net.connect(this.port, '127.0.0.1');
    socket.got = '';
    socket.ended = new Promise((resolve) => socket.on('close', resolve));
    socket.on('data', (bytes) => { socket.got += bytes; });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }

  /// A request's bytes.
  request(method, target, body = '', more = '') {
    return `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nAuthorization: Bearer ${this.token}\r\nContent-Type: application/json\r\n`
      + `Accept: application/json, text/event-stream\r\n${more}${body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''}\r\n${body}`;
  }

  async end() {
    this.process.kill('SIGTERM');
    await eventually('belljar serve ends', () => this.process.exitCode !== null || this.process.signalCode !== null, 15_000);
    await this.home.noContainerIsLeft();
    await this.home.remove();
  }
}

/// The events of an answer's stream, as they come: {id, data}.
export async function* eventsOf(response) {
  let text = '';
  for await (const bytes of response.body) {
    text += Buffer.from(bytes).toString('utf8');
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const lines = text.slice(0, at).split('\n');
      text = text.slice(at + 2);
      const value = (name) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim();
      yield { event: value('event'), id: value('id'), data: value('data') };
    }
  }
}
