// SPDX-License-Identifier: GPL-3.0-or-later
// The engine dies or is stopped in the middle of a run (G12).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { eventually, Home, isRunning, processesWith, serve } from '../lib/surroundings.mjs';
import { Wire } from '../lib/wire.mjs';

async function running(home, word) {
  const wire = new Wire(home.environment());
  await wire.initialize();
  const call = wire.call('execute_code', { language: 'bash', code: `echo begun; sleep ${word}`, timeout: 30 });
  await eventually('the program runs', () => processesWith(word).length > 0);
  return { wire, call };
}

describe('when the engine dies', () => {
  test('kill -9 leaves no container, and the run is told as interrupted', async () => {
    const home = new Home(), other = new Home();
    // A container that only looks like ours, and another Belljar with a run of its own: both stay.
    const foreign = execFileSync('docker', ['run', '-d', '--rm', '--network', 'none', '--name', `belljar-x-${process.pid}`, 'belljar/bash', 'sleep', '120'], { encoding: 'utf8' }).trim();
    const neighbour = await serve(other);
    const beside = await running(other, '27.75315');
    try {
      const engine = await serve(home);
      const { wire } = await running(home, '64.75314');
      engine.kill('SIGKILL');
      await eventually('all containers are gone', async () => (await home.containers()).length === 0, 5000);
      assert.deepEqual(processesWith('64.75314'), []);
      await wire.close();

      const second = await serve(home);
      const rows = await eventually('the history is closed', async () => {
        const found = await home.history('SELECT * FROM executions');
        return JSON.stringify(found).includes('interrupted') && found;
      }, 5000);
      assert.equal(rows.length, 1);

      const again = new Wire(home.environment());
      await again.initialize();
      assert.equal((await again.execute('python', 'print("again")')).stdout, 'again\n');
      await again.close();
      second.kill('SIGTERM');
      await eventually('the engine ends when told to', () => !isRunning(second.pid));
      await home.noContainerIsLeft();

      assert.equal(processesWith('27.75315').length > 0, true, 'the run of the other instance goes on');
      const { result } = await beside.call.answer;
      assert.equal(result.structuredContent.stdout, 'begun\n');
      assert.match(execFileSync('docker', ['ps', '-q', '--no-trunc'], { encoding: 'utf8' }), new RegExp(foreign));
    } finally {
      execFileSync('docker', ['rm', '-f', foreign], { stdio: 'ignore' });
      await beside.wire.close();
      neighbour.kill('SIGTERM');
      await home.remove();
      await other.remove();
    }
  });

  test('kill -9 while containers are being made leaves none either', async () => {
    const home = new Home(), engines = [];
    // Every few milliseconds of the creation's 150 is hit once.
    for (let pause = 0; pause < 200; pause += 20) {
      const engine = await serve(home);
      engines.push(engine.pid);
      const wire = new Wire(home.environment());
      await wire.initialize();
      for (const language of ['python', 'javascript', 'bash'])
        wire.call('execute_code', { language, code: ' ', timeout: 5 }).answer.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, pause));
      engine.kill('SIGKILL');
      await eventually(`no container is left (killed after ${pause} ms)`, async () => (await home.containers()).length === 0, 5000);
      await wire.close();
    }
    // What the container engine finished late has gone too, and nobody is left who looks for it.
    const heirs = () => engines.flatMap((pid) => processesWith(`:${pid}:`));
    await eventually('the heirs have ended', () => heirs().length === 0, 15_000);
    assert.deepEqual(await home.containers(), []);
    await home.remove();
  });

  test('a bridge whose engine died says so and ends, or finds another', async () => {
    const home = new Home();
    const engine = await serve(home);
    const { wire, call } = await running(home, '65.75316');
    engine.kill('SIGKILL');
    const told = await Promise.race([call.answer.then((answer) => JSON.stringify(answer)), wire.exited.then(() => wire.stderr)]).catch((error) => String(error));

    assert.match(told, /engine|closed|ended|connection|interrupted/i);
    assert.deepEqual(wire.problems, []);
    await wire.close();
    await home.noContainerIsLeft(5000);
    await home.remove();
  });

  test('SIGTERM ends the runs as cancelled and leaves nothing', async () => {
    const home = new Home();
    const engine = await serve(home);
    const { wire } = await running(home, '66.75317');
    engine.kill('SIGTERM');
    await eventually('the engine ends', () => !isRunning(engine.pid), 8000);
    await home.noContainerIsLeft(2000);

    assert.deepEqual(processesWith('66.75317'), []);
    assert.match(JSON.stringify(await home.history('SELECT * FROM executions')), /cancelled/);
    await wire.close();
    await home.remove();
  });

  test('a second engine in the same home is refused, naming the first', async () => {
    const home = new Home();
    const engine = await serve(home);
    await assert.rejects(serve(home), new RegExp(String(engine.pid)));

    engine.kill('SIGTERM');
    await home.remove();
  });

  test('no Docker: the call says so and what to do, at once', async () => {
    const home = new Home();
    const wire = new Wire(home.environment({ DOCKER_HOST: 'unix:///nowhere/docker.sock', BELLJAR_LOG: 'debug' }));
    await wire.initialize();
    const started = performance.now();
    const { result } = await wire.call('execute_code', { language: 'python', code: 'print(1)' }).answer;

    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /Docker is not running/);
    assert.ok(performance.now() - started < 10_000);
    assert.deepEqual(wire.problems, []);
    await wire.close();
    await home.remove();
  });
});
