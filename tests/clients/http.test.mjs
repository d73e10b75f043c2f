// SPDX-License-Identifier: GPL-3.0-or-later
// MCP over HTTP: real clients, lost streams, and those who mean harm.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as v2 from '@modelcontextprotocol/client';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import { after, before, describe, test } from 'node:test';
import { recorded } from '../lib/conformity.mjs';
import { eventsOf, HttpServer } from '../lib/http.mjs';
import { belljar, eventually, Home, isRunning, memoryOf, processesWith, root } from '../lib/surroundings.mjs';

const MB = 1024 * 1024;

describe('real clients over HTTP', () => {
  let server;
  before(async () => { server = await HttpServer.start(); });
  after(() => server.end());

  const authorized = () => ({ requestInit: { headers: { Authorization: `Bearer ${server.token}` } } });
  const clients = [
    ['SDK v1', async () => {
      const client = new Client({ name: 'v1', version: '1' });
      const transport = recorded(new StreamableHTTPClientTransport(new URL(server.url), authorized()));
      await client.connect(transport);
      return { client, leave: async () => { await transport.terminateSession(); await client.close(); },
        execute: (args, options) => client.callTool({ name: 'execute_code', arguments: args }, undefined, options) };
    }],
    ['SDK v1 by the two endpoints', async () => {
      const client = new Client({ name: 'v1-sse', version: '1' });
      const url = new URL('/sse', server.url);
      const headers = { Authorization: `Bearer ${server.token}` };
      const transport = new SSEClientTransport(url, { requestInit: { headers },
        eventSourceInit: { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) } });
      await client.connect(transport);
      return { client, leave: () => client.close(), execute: (args, options) => client.callTool({ name: 'execute_code', arguments: args }, undefined, options) };
    }],
    ...['legacy', 'auto'].map((mode) => [`SDK v2, ${mode}`, async () => {
      const client = new v2.Client({ name: `v2-${mode}`, version: '1' }, { versionNegotiation: { mode } });
      const transport = recorded(new v2.StreamableHTTPClientTransport(new URL(server.url), authorized()));
      await client.connect(transport);
      return { client, leave: () => client.close(), execute: (args, options) => client.callTool({ name: 'execute_code', arguments: args }, options) };
    }]),
  ];
  for (const [name, connect] of clients) {
    test(`${name}: lists, calls, tells progress, cancels`, async () => {
      const { client, execute, leave } = await connect();
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'execute_code'));

      const progress = [];
      const answer = await execute({ language: 'python', code: 'import time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.5)' },
        { onprogress: (one) => progress.push(one), timeout: 60_000 });
      assert.equal(answer.structuredContent.stdout, '0\n1\n2\n');
      assert.ok(progress.length >= 2, `${progress.length} notifications`);

      const word = `67.${1000 + Math.floor(Math.random() * 9000)}`;
      const stop = new AbortController();
      const call = execute({ language: 'bash', code: `sleep ${word}`, timeout: 90 }, { signal: stop.signal, timeout: 60_000 });
      call.catch(() => {});
      await eventually('the program runs', () => processesWith(word).length > 0);
      stop.abort('enough');
      await assert.rejects(call);
      await eventually('the program is gone', () => processesWith(word).length === 0, 3000);
      await leave();
    });
  }

  test('calls run beside each other on streams of their own', async () => {
    const session = await server.begin();
    const texts = await Promise.all([1, 2, 3].map(async (id) => (await server.post({ jsonrpc: '2.0', id, method: 'tools/call',
      params: { name: 'execute_code', arguments: { language: 'python', code: `print("number ${id}")` } } }, { session })).text()));

    for (const [index, text] of texts.entries()) assert.ok(text.includes(`number ${index + 1}`), text);
  });

  test('a lost stream does not end its program, and is taken up again', async () => {
    const session = await server.begin();
    const lose = new AbortController();
    const answer = await server.post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'execute_code',
      arguments: { language: 'python', code: 'import time\nfor i in range(5):\n    print(i, flush=True)\n    time.sleep(0.4)' }, _meta: { progressToken: 1 } } }, { session, signal: lose.signal });
    let last;
    for await (const event of eventsOf(answer)) {
      last = event.id;
      if (event.data) break;
    }
    lose.abort();
    const again = await fetch(server.url, { headers: { ...server.headers, 'Mcp-Session-Id': session, 'Last-Event-ID': last } });
    const events = [];
    for await (const event of eventsOf(again)) {
      if (event.data) events.push(event); // the first one only says where it goes on
    }

    const result = JSON.parse(events.at(-1).data);
    assert.equal(result.id, 7);
    assert.equal(result.result.structuredContent.stdout, '0\n1\n2\n3\n4\n');
    assert.ok(events.every((event) => event.id !== last), 'nothing twice');
  });

  test('a session that is ended ends its programs and is unknown afterwards', async () => {
    const session = await server.begin();
    const word = '68.75318';
    const call = server.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'execute_code', arguments: { language: 'bash', code: `sleep ${word}`, timeout: 90 } } }, { session });
    await eventually('the program runs', () => processesWith(word).length > 0);
    const ended = await fetch(server.url, { method: 'DELETE', headers: { ...server.headers, 'Mcp-Session-Id': session } });

    assert.equal(ended.status, 204);
    await (await call).text();
    await eventually('the program is gone', () => processesWith(word).length === 0, 3000);
    assert.equal((await server.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { session })).status, 404);
  });
});

test('a client over HTTP can be asked', async () => {
  const home = new Home({ policy: 'asking' });
  const policy = JSON.parse(fs.readFileSync(`${root}/resources/policies/balanced.json`, 'utf8'));
  policy.approval = { ...policy.approval, rules: [], otherwise: 'ask' };
  home.writePolicy('asking', policy);
  const server = await HttpServer.start({ home });
  const client = new Client({ name: 'asked', version: '1' }, { capabilities: { elicitation: {} } });
  const questions = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => { questions.push(params.message); return { action: 'accept', content: {} }; });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { Authorization: `Bearer ${server.token}` } } }));
  const answer = await client.callTool({ name: 'execute_code', arguments: { language: 'python', code: 'print("was asked")' } }, undefined, { timeout: 60_000 });
  await client.close();

  assert.equal(questions.length, 1);
  assert.equal(answer.structuredContent.stdout, 'was asked\n');
  await server.end();
});

describe('elsewhere than on this machine\'s loop', () => {
  test('it is served with TLS and a token alone', async () => {
    const home = new Home();
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => `${home.folder}/${name}`);
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', '/CN=belljar.test', '-addext', 'subjectAltName=DNS:belljar.test', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const server = await HttpServer.start({ home, address: '0.0.0.0', args: ['--tls-certificate', certificate, '--tls-key', key, '--http-name', 'belljar.test'] });
    const ask = (headers, servername = 'belljar.test') => new Promise((resolve, reject) => {
      const request = https.request({ host: '127.0.0.1', port: server.port, path: '/mcp', method: 'POST', servername, ca: fs.readFileSync(certificate), headers: { ...server.headers, ...headers } },
        (answer) => { let text = ''; answer.on('data', (bytes) => { text += bytes; }); answer.on('end', () => resolve({ status: answer.statusCode, text })); });
      request.on('error', reject);
      request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tls', version: '1' } } }));
    });

    assert.match((await ask({ Host: 'belljar.test' })).text, /"protocolVersion":"2025-11-25"/);
    assert.equal((await ask({ Host: 'belljar.test', Authorization: 'Bearer x' })).status, 401);
    assert.equal((await ask({ Host: 'other.test' })).status, 403);
    const plain = await server.connect();
    plain.write(server.request('GET', '/mcp'));
    await plain.ended;
    assert.doesNotMatch(plain.got, /HTTP\/1.1 200/);
    await server.end();
  });

  test('without TLS it is refused, with words', async () => {
    const home = new Home();
    const refused = spawn(belljar, ['serve', '--http', '0.0.0.0:0'], { env: home.environment(), stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    refused.stderr.on('data', (bytes) => { said += bytes; });
    await eventually('it says why', () => said.includes('HTTP is off'));

    assert.match(said, /0\.0\.0\.0, which other machines can reach, without TLS and a token/);
    await eventually('it serves the socket', () => said.includes('mcp.sock'));
    await home.remove();
  });
});

describe('those who mean harm', () => {
  let server, session;
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  before(async () => { server = await HttpServer.start(); session = await server.begin(); });
  after(async () => {
    // Whatever was tried: the engine lives, answers, and has not grown.
    assert.ok(isRunning(server.process.pid));
    assert.equal((await server.post(ping, { session })).status, 200);
    assert.ok(memoryOf(server.process.pid, 'VmHWM') < 300 * MB, `${memoryOf(server.process.pid, 'VmHWM') / MB} MB`);
    await server.end();
  });

  for (const [name, headers, status] of [
    ['no token', { Authorization: undefined }, 401],
    ['a wrong token', { Authorization: `Bearer ${'0'.repeat(64)}` }, 401],
    ['the token as a cookie', { Authorization: undefined, Cookie: 'token=@' }, 401],
    ['DNS rebinding', { Host: 'evil.example.com' }, 403],
    ['a web page', { Origin: 'https://evil.example.com' }, 403],
  ]) {
    test(`${name} is refused`, async () => {
      const socket = await server.connect();
      const fields = { Host: `127.0.0.1:${server.port}`, ...server.headers, 'Mcp-Session-Id': session, Connection: 'close', ...headers };
      const lines = Object.entries(fields).filter(([, value]) => value !== undefined).map(([field, value]) => `${field}: ${value.replace('@', server.token)}\r\n`).join('');
      socket.write(`POST /mcp?token=${server.token} HTTP/1.1\r\n${lines}Content-Length: ${ping.length}\r\n\r\n${ping}`);
      await socket.ended;

      assert.match(socket.got, new RegExp(`^HTTP/1.1 ${status} `));
      assert.doesNotMatch(socket.got, /access-control/i);
    });
  }

  test('every method needs the token, everywhere', async () => {
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD']) {
      for (const path of ['/mcp', '/sse', '/messages', '/']) assert.equal((await fetch(new URL(path, server.url), { method })).status, 401, `${method} ${path}`);
    }
  });

  test('100 MB are refused, announced or not', async () => {
    for (const head of [server.request('POST', '/mcp', '', 'Content-Length: 104857600\r\n'), server.request('POST', '/mcp', '', 'Transfer-Encoding: chunked\r\n')]) {
      const socket = await server.connect();
      socket.write(head);
      const piece = Buffer.alloc(MB, 'x');
      for (let sent = 0; sent < 100 && !socket.got && !socket.destroyed; sent++) {
        const chunk = head.includes('chunked') ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]) : piece;
        await new Promise((resolve) => socket.write(chunk, resolve));
      }
      await eventually('it is refused', () => socket.got || socket.destroyed);
      assert.match(socket.got, /^HTTP\/1.1 413 /);
      socket.destroy();
    }
  });

  test('10,000 requests at once are answered in their order', async () => {
    const socket = await server.connect();
    let bytes = '';
    for (let id = 1; id <= 10_000; id++) bytes += server.request('POST', '/mcp', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`, `Mcp-Session-Id: ${session}\r\n`);
    socket.write(bytes);
    await eventually('the last is answered', () => socket.got.includes('"id":10000,'), 60_000);
    const ids = [...socket.got.matchAll(/"id":(\d+),/g)].map((match) => Number(match[1]));

    assert.deepEqual(ids, Array.from({ length: 10_000 }, (_, index) => index + 1));
    socket.destroy();
  });

  test('lengths that contradict each other are refused', async () => {
    for (const fields of ['Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', 'Content-Length: 5\r\nContent-Length: 6\r\n']) {
      const socket = await server.connect();
      socket.write(`${server.request('POST', '/mcp', '', fields)}0\r\n\r\nGET /mcp HTTP/1.1\r\n\r\n`);
      await socket.ended;
      assert.equal([...socket.got.matchAll(/HTTP\/1.1 /g)].length, 1, socket.got);
      assert.match(socket.got, /^HTTP\/1.1 400 /);
    }
  });

  test('who sends half a request and waits is cut off, others go on', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => server.connect()));
    for (const socket of slow) socket.write('POST /mcp HTTP/1.1\r\nHost: 127');
    const began = performance.now();
    const trickle = setInterval(() => { for (const socket of slow) socket.write('.'); }, 500);
    assert.equal((await server.post(ping, { session })).status, 200);
    await Promise.all(slow.map((socket) => socket.ended));
    clearInterval(trickle);

    assert.ok(performance.now() - began < 15_000, 'within the time for a header');
  });

  test('half-closed connections get what there is and end', async () => {
    const socket = await server.connect();
    socket.end(server.request('POST', '/mcp', ping, `Mcp-Session-Id: ${session}\r\n`));
    await socket.ended;

    assert.match(socket.got, /"result":\{\}/);
  });

  test('1,000 idle connections cost little, and others are served', async () => {
    const before = memoryOf(server.process.pid, 'VmRSS');
    const idle = [];
    for (let count = 0; count < 1000; count += 50) idle.push(...await Promise.all(Array.from({ length: 50 }, () => server.connect())));
    assert.equal((await server.post(ping, { session })).status, 200);
    const grown = memoryOf(server.process.pid, 'VmRSS') - before;
    for (const socket of idle) socket.destroy();

    assert.ok(grown < 40 * MB, `${grown / MB} MB`);
    assert.equal((await server.post(ping, { session })).status, 200);
  });

  test('a new token ends what the old one has opened', async () => {
    const stream = await fetch(server.url, { headers: { ...server.headers, 'Mcp-Session-Id': session } });
    const reading = (async () => { for await (const event of eventsOf(stream)) void event; })().catch(() => {});
    const old = server.headers;
    server.token = await server.tokenCommand('rotate');
    await reading;

    assert.equal((await fetch(server.url, { method: 'POST', headers: old, body: ping })).status, 401);
    assert.equal((await server.post(ping, { session })).status, 404, 'its session has ended');
    session = await server.begin();
  });

  test('a port that is taken is told, and the engine goes on', async () => {
    const home = new Home();
    const second = spawn(belljar, ['serve', '--http', `127.0.0.1:${server.port}`], { env: home.environment(), stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    second.stderr.on('data', (bytes) => { said += bytes; });
    await eventually('it serves the socket', () => said.includes('mcp.sock'));

    assert.match(said, /HTTP is off: .*port \d+ is taken/);
    assert.equal(second.exitCode, null);
    await home.remove();
  });
});
