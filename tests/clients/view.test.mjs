// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a run for clients that render MCP Apps, inside a host as they are (a frame that is spoken to by messages).

import { JSDOM } from 'jsdom';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { eventually } from '../lib/surroundings.mjs';

const html = fs.readFileSync(new URL('../../resources/mcp/execution.html', import.meta.url), 'utf8');
const run = { status: 'succeeded', success: true, exit_code: 0, execution_time_ms: 12, memory_used_mb: 9.5, execution_id: 'ex_1',
  stdout: 'out\n', stderr: '', error: null, notes: [], files: [] };
const samples = [{ at_ms: 0, cpu_percent: 0, memory_bytes: 1e6 }, { at_ms: 100, cpu_percent: 90, memory_bytes: 9e6 }, { at_ms: 200, cpu_percent: 40, memory_bytes: 5e6 }];

/// A host with the view in a frame; `answers` to what it asks, by method.
class Host {
  constructor(answers = {}) {
    this.heard = [];
    this.page = new JSDOM('<!DOCTYPE html><iframe></iframe>', { runScripts: 'dangerously', resources: 'usable', pretendToBeVisual: true });
    this.window = this.page.window;
    this.answers = { 'ui/initialize': () => ({ hostContext: { theme: 'dark' } }), 'resources/read': () => ({ contents: [{ text: JSON.stringify(samples) }] }), ...answers };
    this.window.addEventListener('message', ({ data }) => {
      this.heard.push(data);
      if (data.id !== undefined && data.method) this.say({ id: data.id, result: this.answers[data.method]?.(data.params) ?? {} });
    });
    this.frame = this.window.document.querySelector('iframe');
    this.document.open();
    this.document.write(html);
    this.document.close();
  }
  get document() { return this.frame.contentWindow.document; }
  text(id) { return this.document.getElementById(id).textContent; }
  say(message) {
    const { MessageEvent } = this.frame.contentWindow;
    this.frame.contentWindow.dispatchEvent(new MessageEvent('message', { data: { jsonrpc: '2.0', ...message }, source: this.window }));
  }
  async shows(result) {
    await eventually('the view is ready', () => this.heard.some((one) => one.method === 'ui/notifications/initialized'));
    this.say({ method: 'ui/notifications/tool-result', params: { structuredContent: result } });
  }
  close() { this.window.close(); }
}

describe('the view of a run', () => {
  test('shows output, figures and the graph, in the colours of its host', async () => {
    const host = new Host();
    await host.shows(run);
    await eventually('the graph', () => !host.document.getElementById('graph').hidden);
    assert.equal(host.text('state'), 'succeeded');
    assert.equal(host.text('out'), 'out\n');
    assert.equal(host.text('exit'), 'exit code 0');
    assert.match(host.text('legend'), /90 % of a core.*8\.6 MB, over 200 ms/);
    assert.equal(host.document.getElementById('cpuLine').getAttribute('points').split(' ').length, 3);
    assert.equal(host.document.documentElement.dataset.theme, 'dark');
    assert.ok(host.document.getElementById('errBox').hidden, 'what is empty is not shown');
    host.close();
  });

  test('what a program prints stays text', async () => {
    const host = new Host();
    const evil = '<img src=x onerror="window.reached = 1"><script>window.reached = 1</script>';
    await host.shows({ ...run, stdout: evil, stderr: evil, error: evil, files: [{ name: evil, size: 1 }] });
    await eventually('it is shown', () => host.text('out') === evil);
    assert.equal(host.document.querySelectorAll('img, body script').length, 1, 'its own script alone');
    assert.equal(host.frame.contentWindow.reached, undefined);
    host.close();
  });

  test('follows a run that goes on', async () => {
    let asked = 0;
    const host = new Host({ 'tools/call': () => ({ structuredContent: ++asked < 3 ? { ...run, status: 'running', success: false } : run }) });
    await host.shows({ ...run, status: 'awaiting_approval', success: false, stdout: '' });
    await eventually('the end', () => host.text('state') === 'succeeded');
    assert.equal(asked, 3);
    host.close();
  });

  test('loads nothing from anywhere', () => {
    assert.doesNotMatch(html, /https?:|\bsrc=|\bhref=|@import|innerHTML|eval\(/);
  });
});
