// SPDX-License-Identifier: GPL-3.0-or-later
// The protocol through real clients: both SDK generations in every mode over both transports, the Inspector's command
// line, mcporter; what a double start costs; and clients that mean harm on the line.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import * as v2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { record, recorded } from '../lib/conformity.mjs';
import { HttpServer } from '../lib/http.mjs';
import { belljar, eventually, Home, memoryOf, processesWith, root } from '../lib/surroundings.mjs';
import { Wire } from '../lib/wire.mjs';

const run = promisify(execFile);
const risky = 'import os\nos.system("echo reached")\n';
const plot = `import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
open("plot.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\\0\\1\\2\\3")) + chunk(b"IEND", b""))
open("table.csv", "w").write("a,b\\n1,2\\n")
print("drawn")`;
const expectation = (era) => ({ modern: '2026-07-28', legacy: '2025-11-25' })[era];

describe('real clients', () => {
  const home = new Home({ policy: 'balanced' });
  let server;
  before(async () => { server = await HttpServer.start({ home }); });
  after(() => server.end());

  const headers = () => ({ requestInit: { headers: { Authorization: `Bearer ${server.token}` } } });
  const stdio = () => ({ command: belljar, args: ['stdio'], env: home.environment(), stderr: 'ignore' });
  const accept = async () => ({ action: 'accept', content: { comment: 'go on' } });

  const connectV1 = (transport) => async () => {
    const client = new Client({ name: 'v1', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, accept);
    await client.connect(recorded(transport()));
    return { client, era: 'legacy', call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options) };
  };
  const connectV2 = (mode, transport) => async () => {
    const client = new v2.Client({ name: `v2-${JSON.stringify(mode)}`, version: '1' }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
    client.setRequestHandler('elicitation/create', accept);
    await client.connect(recorded(transport()));
    assert.equal(client.getNegotiatedProtocolVersion(), expectation(client.getProtocolEra()));
    return { client, era: client.getProtocolEra(), call: (name, args, options) => client.callTool({ name, arguments: args }, options) };
  };
  const clients = [
    ['SDK v1 over stdio', 'legacy', connectV1(() => new StdioClientTransport(stdio()))],
    ['SDK v1 over HTTP', 'legacy', connectV1(() => new StreamableHTTPClientTransport(new URL(server.url), headers()))],
    ...[['legacy', 'legacy'], ['auto', 'modern'], [{ pin: '2026-07-28' }, 'modern']].flatMap(([mode, era]) => [
      [`SDK v2, ${JSON.stringify(mode)}, over stdio`, era, connectV2(mode, () => new StdioV2(stdio()))],
      [`SDK v2, ${JSON.stringify(mode)}, over HTTP`, era, connectV2(mode, () => new v2.StreamableHTTPClientTransport(new URL(server.url), headers()))],
    ]),
  ];

  for (const [name, era, connect] of clients) {
    test(name, async (t) => {
      const session = await connect();
      const { client, call } = session;
      assert.equal(session.era, era);

      await t.test('lists what there is', async () => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => tool.name), ['execute_code', 'get_execution', 'cancel_execution']);
        assert.match(tools[0].description, /no network/);
        const { resources } = await client.listResources();
        assert.deepEqual(resources.map((one) => one.uri), ['belljar://policy', 'belljar://languages']);
        assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
        const { prompts } = await client.listPrompts();
        assert.deepEqual(prompts.map((one) => one.name), ['verify_function', 'analyse_data', 'debug_algorithm']);
      });

      await t.test('tells progress', async () => {
        const told = [];
        const answer = await call('execute_code', { language: 'python', code: 'import time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.5)' },
          { onprogress: (one) => told.push(one), timeout: 60_000 });
        assert.equal(answer.structuredContent.stdout, '0\n1\n2\n');
        assert.ok(told.length >= 2, `${told.length} notifications`);
        assert.ok(told.every((one, at) => at === 0 || one.progress > told[at - 1].progress));
      });

      await t.test('cancels', async () => {
        const word = `69.${1000 + Math.floor(Math.random() * 9000)}`;
        const stop = new AbortController();
        const running = call('execute_code', { language: 'bash', code: `sleep ${word}`, timeout: 90 }, { signal: stop.signal, timeout: 60_000 });
        running.catch(() => {});
        await eventually('the program runs', () => processesWith(word).length > 0);
        stop.abort('enough');
        await assert.rejects(running);
        await eventually('the program is gone', () => processesWith(word).length === 0, 3000);
      });

      await t.test('is asked, and its yes runs the program', async () => {
        const answer = await call('execute_code', { language: 'python', code: `${risky}# ${name}` }, { timeout: 60_000 });
        assert.equal(answer.structuredContent.stdout, 'reached\n');
        assert.equal(answer.structuredContent.decision.by, 'client');
      });

      await t.test('gets pictures and reads files, output and samples', async () => {
        const answer = await call('execute_code', { language: 'python', code: plot });
        const image = answer.content.find((block) => block.type === 'image');
        assert.equal(image?.mimeType, 'image/png');
        assert.ok(Buffer.from(image.data, 'base64').subarray(1, 4).equals(Buffer.from('PNG')));
        const links = answer.content.filter((block) => block.type === 'resource_link');
        assert.deepEqual(links.map((one) => one.name).sort(), ['plot.png', 'table.csv']);
        const read = async (uri) => (await client.readResource({ uri })).contents[0];
        assert.equal((await read(links.find((one) => one.name === 'table.csv').uri)).text, 'a,b\n1,2\n');
        assert.equal((await read(links.find((one) => one.name === 'plot.png').uri)).blob, image.data);
        const uri = `belljar://executions/${answer.structuredContent.execution_id}`;
        assert.equal(JSON.parse((await read(uri)).text).stdout, 'drawn\n');
        assert.equal((await read(`${uri}/stdout`)).text, 'drawn\n');
        assert.ok(Array.isArray(JSON.parse((await read(`${uri}/samples`)).text)));
        assert.equal(JSON.parse((await read('belljar://policy')).text).name, 'balanced');
        assert.ok(JSON.parse((await read('belljar://languages')).text).some((one) => one.id === 'python' && one.allowed));
        const view = await read('ui://belljar/execution');
        assert.equal(view.mimeType, 'text/html;profile=mcp-app');
        await assert.rejects(read('belljar://executions/ex_00000000000000000000000000000000'));
      });

      await t.test('fills in prompts', async () => {
        const { messages } = await client.getPrompt({ name: 'verify_function', arguments: { language: 'python', code: 'def f(): {language}' } });
        assert.match(messages[0].content.text, /python function/);
        assert.match(messages[0].content.text, /def f\(\): \{language\}$/, 'what a client sends is not filled in again');
        const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'verify_function' }, argument: { name: 'language', value: 'py' } });
        assert.deepEqual(completion.values, ['python']);
        await assert.rejects(client.getPrompt({ name: 'verify_function', arguments: {} }));
      });

      await t.test('hears of changes', async () => {
        let changed = 0;
        let stop = async () => {};
        if (era === 'modern') {
          client.setNotificationHandler('notifications/resources/updated', () => { changed += 1; });
          const subscription = await client.listen({ resourceSubscriptions: ['belljar://policy'] });
          stop = () => subscription.close();
        } else {
          client.setNotificationHandler(client instanceof Client ? ResourceUpdatedNotificationSchema : 'notifications/resources/updated', () => { changed += 1; });
          await client.subscribeResource({ uri: 'belljar://policy' });
        }
        home.writePolicy(`another-${Math.random().toString(36).slice(2)}`, { schema: 1, title: 'Another' });
        home.assign('balanced', [{ client: name, policy: 'strict' }]);
        await eventually('it is told', () => changed > 0);
        await stop();
      });

      await client.close();
    });
  }

  test('every message was by the schema', () => {
    assert.ok(record.messages > 200, `${record.messages} messages`);
    assert.deepEqual(record.problems, []);
  });
});

describe('clients on the command line', () => {
  const tools = path.join(root, 'tests/conformance/node_modules');
  const node = path.join(tools, '.bin/node');
  const inspector = path.join(tools, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const mcporter = path.join(tools, 'mcporter/dist/cli.js');
  const home = new Home();
  let server;
  before(async () => { server = await HttpServer.start({ home }); });
  after(() => server.end());

  const use = async (program, ...args) => {
    const { stdout } = await run(node, [program, ...args], { env: { ...home.environment(), HOME: home.folder }, maxBuffer: 1 << 24, timeout: 60_000 });
    return JSON.parse(stdout.slice(stdout.search(/[[{]/)));
  };
  const program = JSON.stringify({ language: 'python', code: 'print(6 * 7)' });

  for (const era of ['legacy', 'auto', 'modern']) {
    const http = () => [server.url, '--transport', 'http', '--protocol-era', era, '--header', `Authorization: Bearer ${server.token}`, '--format', 'json', '-q', '--stored-auth-only'];
    test(`Inspector, ${era}, over HTTP`, async () => {
      const listed = await use(inspector, '--cli', ...http(), '--method', 'tools/list');
      assert.match(JSON.stringify(listed), /execute_code/);
      const called = await use(inspector, '--cli', ...http(), '--method', 'tools/call', '--tool-name', 'execute_code', '--tool-args-json', program);
      assert.match(JSON.stringify(called), /42\\n/);
      const read = await use(inspector, '--cli', ...http(), '--method', 'resources/read', '--uri', 'belljar://languages');
      assert.match(JSON.stringify(read), /python/);
    });
    test(`Inspector, ${era}, over stdio`, async () => {
      const called = await use(inspector, '--cli', '--protocol-era', era, '--method', 'tools/call', '--tool-name', 'execute_code', '--tool-args-json', program,
        '--format', 'json', '-q', '--', belljar, 'stdio');
      assert.match(JSON.stringify(called), /42\\n/);
    });
  }

  test('mcporter over HTTP and stdio', async () => {
    const http = ['--http-url', server.url, '--allow-http', '--no-oauth', '--header', `Authorization=Bearer ${server.token}`, '--name', 'bj'];
    const over = await use(mcporter, 'call', ...http, 'execute_code', '--args', program, '--output', 'json');
    assert.match(JSON.stringify(over), /42/);
    const piped = await use(mcporter, 'call', '--stdio', belljar, '--stdio-arg', 'stdio', '--name', 'bj', 'execute_code', '--args', program, '--output', 'json');
    assert.match(JSON.stringify(piped), /42/);
  });

  test('the schemas of the tools are portable', async () => {
    const { stdout } = await run(node, [inspector, '--cli', server.url, '--transport', 'http', '--header', `Authorization: Bearer ${server.token}`,
      '--format', 'json', '-q', '--stored-auth-only', '--method', 'tools/list', '--strict'], { env: home.environment(), timeout: 60_000 });
    assert.ok(stdout.length > 0); // it ends with 6 where they aren't
  });
});

const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' } };

describe('a client that probes with a first copy', () => {
  const home = new Home();
  let server;
  before(async () => { server = await HttpServer.start({ home }); });
  after(() => server.end());

  test('costs under 30 ms and leaves no trace', async () => {
    const probe = async () => {
      const began = performance.now();
      const wire = new Wire(home.environment());
      const { result } = await wire.request('server/discover', { _meta: meta });
      assert.deepEqual(result.supportedVersions, ['2026-07-28']);
      wire.process.stdin.end();
      await wire.exited;
      return performance.now() - began;
    };
    const times = [];
    for (let at = 0; at < 9; ++at) times.push(await probe());
    // What else the machine does only adds to it.
    assert.ok(Math.min(...times) < 30, `${times.map((one) => one.toFixed(1))} ms`);
    assert.deepEqual(await home.history("SELECT COUNT(*) AS n FROM executions"), [{ n: 0 }]);
    assert.deepEqual(await home.history("SELECT type FROM audit WHERE type LIKE 'client%'"), []);
  });
});

describe('a hostile client on the line', () => {
  const home = new Home();
  let server, bystander;
  before(async () => {
    server = await HttpServer.start({ home });
    bystander = new Wire(home.environment());
    await bystander.initialize();
  });
  after(async () => { await bystander.close(); await server.end(); });

  const id = 1;
  const lines = [
    ['no JSON', '{"jsonrpc":', -32700],
    ['10,000 levels', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, -32700],
    ['10,000 levels of lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, -32700],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['no version', '{"id":1,"method":"ping"}', -32600],
    ['duplicate keys', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
    ['half a surrogate', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32700],
    ['a request before initialize', JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }), -32600],
    ['a modern request for an old method', JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { _meta: meta } }), -32601],
    ['a version nobody has', JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 'v999' } } }), -32022],
    ['a batch of both eras', JSON.stringify([{ jsonrpc: '2.0', id, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: meta } }]), -32600],
  ];
  for (const [name, line, code] of lines) {
    test(name, async () => {
      const wire = new Wire(home.environment());
      wire.sendLine(line);
      const answer = await eventually('an answer', () => wire.messages[0]);
      assert.ok([code, -32600].includes(answer.error?.code), JSON.stringify(answer).slice(0, 300));
      const pong = await wire.request('ping', {}, { id: 'after' });
      assert.deepEqual(pong.result, {}, 'the line goes on');
      await wire.close();
    });
  }

  test('a line of 100 MB is skipped in little memory', async () => {
    const wire = new Wire(home.environment());
    const before = memoryOf(server.process.pid, 'VmHWM');
    const piece = 'x'.repeat(1 << 20);
    wire.process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"');
    for (let at = 0; at < 100; ++at) {
      if (!wire.process.stdin.write(piece)) await new Promise((resolve) => wire.process.stdin.once('drain', resolve));
    }
    wire.process.stdin.write('"}\n');
    const answer = await eventually('an answer', () => wire.messages[0], 30_000);
    assert.equal(answer.error.code, -32600);
    assert.ok(memoryOf(server.process.pid, 'VmHWM') - before < 64 << 20, 'of the engine');
    assert.deepEqual((await wire.request('ping', {}, { id: 'after' })).result, {});
    await wire.close();
  });

  test('10,000 requests in one go are all answered, and others go on', async () => {
    const wire = new Wire(home.environment());
    await wire.initialize();
    const beside = bystander.execute('python', 'print("beside")');
    const text = Array.from({ length: 10_000 }, (_, at) => JSON.stringify({ jsonrpc: '2.0', id: `r${at}`, method: at % 2 ? 'ping' : 'tools/list' })).join('\n');
    wire.sendLine(text);
    await eventually('all answers', () => wire.messages.length >= 10_001, 60_000);
    const answered = new Set(wire.messages.map((message) => message.id));
    assert.equal(answered.size, 10_001);
    assert.ok(wire.messages.every((message) => message.result), 'each with a result');
    assert.equal((await beside).stdout, 'beside\n');
    await wire.close();
  });

  test('an id twice, in either era', async () => {
    const wire = new Wire(home.environment());
    await wire.initialize();
    for (const extra of [{}, { _meta: meta }]) {
      const params = { name: 'execute_code', arguments: { language: 'bash', code: 'sleep 2' }, ...extra };
      const from = wire.messages.length;
      wire.send({ jsonrpc: '2.0', id: 'twice', method: 'tools/call', params });
      wire.send({ jsonrpc: '2.0', id: 'twice', method: 'tools/list', params: extra });
      const refusal = await eventually('an answer', () => wire.messages[from]);
      assert.equal(refusal.error?.code, -32600);
      const answer = await eventually('the other', () => wire.messages[from + 1]);
      assert.equal(answer.result.structuredContent.status, 'succeeded');
    }
    await wire.close();
  });

  test('a second initialize changes nothing', async () => {
    const wire = new Wire(home.environment());
    await wire.initialize('2025-03-26');
    assert.equal((await wire.initialize('2025-11-25')).error.code, -32600);
    const { result } = await wire.request('tools/list');
    assert.equal(result.tools[0].title, undefined, 'it is still the older revision');
    await wire.close();
  });

  test('half a line and then silence holds nobody up', async () => {
    const slow = spawn(belljar, ['stdio'], { env: home.environment(), stdio: ['pipe', 'ignore', 'ignore'] });
    slow.stdin.write('{"jsonrpc":"2.0","id":1,');
    assert.equal((await bystander.execute('python', 'print(1)')).stdout, '1\n');
    slow.stdin.end();
    await new Promise((resolve) => slow.once('close', resolve));
  });
});

describe('runs that outlast a call', () => {
  const home = new Home({ policy: 'balanced' });
  const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const withTasks = (more = {}) => ({ _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': { ...tasks, ...more } } });
  let server, wire;
  before(async () => { server = await HttpServer.start({ home }); wire = new Wire(home.environment()); });
  after(async () => { await wire.close(); await server.end(); });

  const begin = async (args, capabilities) => (await wire.request('tools/call', { name: 'execute_code', arguments: args, ...withTasks(capabilities) })).result;
  const get = async (taskId) => (await wire.request('tasks/get', { taskId, ...withTasks() })).result;
  const ended = async (taskId) => eventually('the task ends', async () => {
    const task = await get(taskId);
    return ['completed', 'failed', 'cancelled'].includes(task.status) && task;
  }, 20_000);

  test('a short one is answered at once', async () => {
    const result = await begin({ language: 'python', code: 'print(1)' });
    assert.equal(result.resultType, 'complete');
    assert.equal(result.structuredContent.stdout, '1\n');
  });

  test('a long one becomes a task with the same result', async () => {
    const began = performance.now();
    const task = await begin({ language: 'bash', code: 'sleep 4; echo over' });
    assert.ok(performance.now() - began < 3500);
    assert.equal(task.resultType, 'task');
    assert.match(task.statusMessage, /running/);
    const done = await ended(task.taskId);
    assert.equal(done.result.structuredContent.stdout, 'over\n');
    assert.equal(done.result.isError, false);
  });

  test('cancelling the task ends the program', async () => {
    const word = '71.13579';
    const task = await begin({ language: 'bash', code: `sleep ${word}`, timeout: 90 });
    await eventually('the program runs', () => processesWith(word).length > 0);
    await wire.request('tasks/cancel', { taskId: task.taskId, ...withTasks() });
    assert.equal((await ended(task.taskId)).status, 'cancelled');
    await eventually('the program is gone', () => processesWith(word).length === 0, 3000);
  });

  test('a person who has to be asked is asked before, and what runs then is a task', async () => {
    const code = `${risky}import time\ntime.sleep(3)`;
    const asked = await begin({ language: 'python', code }, { elicitation: {} });
    assert.equal(asked.resultType, 'input_required');
    const { result: task } = await wire.request('tools/call', { name: 'execute_code', arguments: { language: 'python', code },
      inputResponses: { approval: { action: 'accept' } }, requestState: asked.requestState, ...withTasks({ elicitation: {} }) });
    assert.equal(task.resultType, 'task');
    assert.equal((await ended(task.taskId)).result.structuredContent.stdout, 'reached\n');
  });

  test('declined, it is rejected; with a false state nothing runs', async () => {
    const code = `${risky}# declined`;
    const asked = await begin({ language: 'python', code }, { elicitation: {} });
    const again = (more) => wire.request('tools/call', { name: 'execute_code', arguments: { language: 'python', code },
      inputResponses: { approval: { action: 'decline' } }, ...more, ...withTasks({ elicitation: {} }) });
    assert.equal((await again({ requestState: `${asked.requestState}A` })).error.code, -32602);
    assert.equal((await again({ requestState: asked.requestState })).result.structuredContent.status, 'rejected');
  });

  test('the older form: the client makes the task', async () => {
    const legacy = new Wire(home.environment());
    await legacy.initialize();
    const { result } = await legacy.request('tools/call', { name: 'execute_code', arguments: { language: 'bash', code: 'sleep 1; echo over' }, task: { ttl: 60_000 } });
    assert.equal(result.task.ttl, 60_000);
    const payload = await legacy.request('tasks/result', { taskId: result.task.taskId });
    assert.equal(payload.result.structuredContent.stdout, 'over\n');
    assert.equal((await legacy.request('tasks/get', { taskId: result.task.taskId })).result.status, 'completed');
    await legacy.close();
  });
});
