// SPDX-License-Identifier: GPL-3.0-or-later
// Clients as they come: two SDK generations, bare environments, several at once, limits from the configuration.

import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { belljar as program, eventually, Home, isRunning } from '../lib/surroundings.mjs';
import { Wire } from '../lib/wire.mjs';
import { Belljar } from './sdk.mjs';

async function executeV2(home, mode) {
  const client = new ClientV2({ name: 'sdk-v2', version: '1' }, { capabilities: {}, versionNegotiation: { mode } });
  await client.connect(new StdioV2({ command: program, args: ['stdio'], env: home.environment(), stderr: 'ignore' }));
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: 'execute_code', arguments: { language: 'python', code: 'print("v2")' } });
  const revision = client.getNegotiatedProtocolVersion();
  await client.close();
  return { tools, answer, revision };
}

describe('clients', () => {
  test('SDK version 2 as it comes', async () => {
    const home = new Home();
    const { tools, answer, revision } = await executeV2(home, 'legacy');

    assert.equal(revision, '2025-11-25');
    assert.ok(tools.some((tool) => tool.name === 'execute_code'));
    assert.equal(answer.structuredContent.stdout, 'v2\n');
    await home.noContainerIsLeft();
    await home.remove();
  });

  test('SDK version 2 that probes for the stateless era first', async () => {
    const home = new Home();
    const { answer } = await executeV2(home, 'auto');

    assert.equal(answer.structuredContent.stdout, 'v2\n');
    await home.noContainerIsLeft();
    await home.remove();
  });

  test('only HOME and PATH in the environment, as the SDKs pass it', async () => {
    const home = new Home();
    const belljar = await Belljar.connect({ home, environment: { HOME: home.folder, PATH: process.env.PATH } });

    assert.equal((await belljar.execute('python', 'import os; print("HOME", os.environ["HOME"], "naïve")')).stdout, 'HOME /workspace naïve\n');
    await belljar.close();
    await home.noContainerIsLeft();
    await home.remove();
  });

  test('starting and leaving without a call leaves nothing behind', async () => {
    const home = new Home();
    const wire = new Wire(home.environment());
    await wire.initialize();
    const how = await wire.close();

    assert.equal(how.code, 0);
    await eventually('the engine has ended too', () => home.enginePid() === undefined);
    await home.noContainerIsLeft();
    await home.remove();
  });

  test('two clients share one engine, and each gets its own results', async () => {
    const home = new Home();
    const [one, two] = await Promise.all([Belljar.connect({ home, name: 'one' }), Belljar.connect({ home, name: 'two' })]);
    const engine = home.enginePid();
    const [fromOne, fromTwo] = await Promise.all([one.execute('python', 'print("one")'), two.execute('python', 'print("two")')]);

    assert.equal(fromOne.stdout, 'one\n');
    assert.equal(fromTwo.stdout, 'two\n');
    assert.ok(isRunning(engine));
    await one.close();
    assert.equal((await two.execute('python', 'print("still")')).stdout, 'still\n');
    await two.close();
    await eventually('the engine ends after its last client', () => home.enginePid() === undefined, 15_000);
    await home.noContainerIsLeft();
    await home.remove();
  });

  test('one client cannot see or stop the runs of another', async () => {
    const home = new Home();
    const [one, two] = await Promise.all([Belljar.connect({ home, name: 'one' }), Belljar.connect({ home, name: 'two' })]);
    const { execution_id: id } = await one.execute('python', 'print("private")');
    const seen = await two.client.callTool({ name: 'get_execution', arguments: { execution_id: id } });

    assert.equal(seen.isError, true);
    assert.ok(!JSON.stringify(seen).includes('private'));
    await one.close();
    await two.end();
  });

  test('SANDBOX_TIMEOUT is the default time-out and bounds what is asked for', async () => {
    const home = new Home();
    const belljar = await Belljar.connect({ home, environment: home.environment({ SANDBOX_TIMEOUT: '2' }) });
    const { ms, result, text } = await belljar.timed('python', 'import time; time.sleep(30)');

    assert.equal(result.timed_out, true);
    assert.ok(ms < 5000, `answered after ${ms} ms`);
    assert.match(text, /2 s/);
    const longer = await belljar.timed('python', 'import time; time.sleep(30)', { timeout: 20 });
    assert.ok(longer.isError || longer.result.timed_out);
    assert.ok(longer.ms < 5000, `answered after ${longer.ms} ms`);
    await belljar.end();
  });

  test('SANDBOX_MEMORY bounds the memory', async () => {
    const home = new Home();
    const belljar = await Belljar.connect({ home, environment: home.environment({ SANDBOX_MEMORY: '128m' }) });
    const { result, text } = await belljar.timed('python', 'x = bytearray(200 * 1024**2); print(len(x))');

    assert.equal(result.oom_killed, true);
    assert.match(text, /128 MB/);
    await belljar.end();
  });

  for (const [name, value] of [['SANDBOX_TIMEOUT', 'soon'], ['SANDBOX_MEMORY', 'lots'], ['SANDBOX_TIMEOUT', '1e99'], ['SANDBOX_MEMORY', '-1']]) {
    test(`${name}=${value} is told, never ignored in silence`, async () => {
      const home = new Home();
      const wire = new Wire(home.environment({ [name]: value }));
      const told = await Promise.race([
        wire.initialize().then(async () => JSON.stringify(await wire.call('execute_code', { language: 'python', code: 'print(1)' }).answer)),
        wire.exited.then(() => ''),
      ]).catch((error) => String(error));
      await wire.close();

      assert.match(told + wire.stderr, new RegExp(name));
      await home.noContainerIsLeft();
      await home.remove();
    });
  }
});
