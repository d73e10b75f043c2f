// SPDX-License-Identifier: GPL-3.0-or-later
// A real MCP client (the TypeScript SDK, version 1) on belljar stdio in a home of its own.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { recorded } from '../lib/conformity.mjs';
import { belljar, Home } from '../lib/surroundings.mjs';

export class Belljar {
  static async connect({ home = new Home(), environment = home.environment(), name = 'sdk-v1', elicit } = {}) {
    const session = new Belljar();
    session.home = home;
    session.transport = recorded(new StdioClientTransport({ command: belljar, args: ['stdio'], env: environment, stderr: 'pipe' }));
    session.stderr = '';
    session.transport.stderr?.on('data', (bytes) => { session.stderr = (session.stderr + bytes).slice(-20_000); });
    session.client = new Client({ name, version: '1' }, { capabilities: elicit ? { elicitation: {} } : {} });
    // What the client's person answers when the server asks.
    if (elicit) session.client.setRequestHandler(ElicitRequestSchema, (request) => elicit(request.params));
    try {
      await session.client.connect(session.transport, { timeout: 30_000 });
      // From now on the client checks every structured result against the tool's output schema.
      session.tools = (await session.client.listTools()).tools;
    } catch (error) {
      throw new Error(`${error.message}\n${session.stderr}`);
    }
    return session;
  }

  /// The whole answer of execute_code.
  async call(args, options = {}) {
    return this.client.callTool({ name: 'execute_code', arguments: args }, undefined, { timeout: 150_000, ...options });
  }

  /// The structured result of a program; throws where Belljar could not run it.
  async execute(language, code, args = {}, options = {}) {
    const answer = await this.call({ language, code, ...args }, options);
    if (!answer.structuredContent) throw new Error(`no result: ${JSON.stringify(answer).slice(0, 600)}`);
    return answer.structuredContent;
  }

  /// The same with the time it took as the client saw it, and the text.
  async timed(language, code, args = {}) {
    const started = performance.now();
    const answer = await this.call({ language, code, ...args });
    const text = answer.content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
    return { ms: performance.now() - started, result: answer.structuredContent, isError: answer.isError === true, text, answer };
  }

  async close() { await this.client.close(); }
  async end() {
    await this.close();
    await this.home.noContainerIsLeft();
    await this.home.remove();
  }
}
