// SPDX-License-Identifier: GPL-3.0-or-later
// Checks every message that Belljar sends in the client tests against the published schema of the revision that is
// spoken. What doesn't conform fails the test file when it ends.

import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { root, sharedFile } from './surroundings.mjs';

const require = createRequire(path.join(root, 'tests/clients/package.json'));
const Ajv = require('ajv');
const Ajv2020 = require('ajv/dist/2020.js');
const addFormats = require('ajv-formats');

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const modern = '2026-07-28';

/// What answers a method; of several the first that fits.
const results = {
  initialize: ['InitializeResult'], ping: ['EmptyResult'], 'server/discover': ['DiscoverResult'],
  'tools/list': ['ListToolsResult'], 'tools/call': ['CallToolResult', 'InputRequiredResult', 'CreateTaskResult', 'tasks:CreateTaskResult'],
  'resources/list': ['ListResourcesResult'], 'resources/templates/list': ['ListResourceTemplatesResult'],
  'resources/read': ['ReadResourceResult', 'InputRequiredResult'], 'resources/subscribe': ['EmptyResult'], 'resources/unsubscribe': ['EmptyResult'],
  'prompts/list': ['ListPromptsResult'], 'prompts/get': ['GetPromptResult', 'InputRequiredResult'],
  'completion/complete': ['CompleteResult'], 'logging/setLevel': ['EmptyResult'],
  'subscriptions/listen': ['SubscriptionsListenResult', 'EmptyResult', 'Result'],
  'tasks/get': ['GetTaskResult', 'tasks:GetTaskResult'], 'tasks/update': ['tasks:UpdateTaskResult'],
  'tasks/cancel': ['CancelTaskResult', 'tasks:CancelTaskResult'], 'tasks/result': ['GetTaskPayloadResult'], 'tasks/list': ['ListTasksResult'],
};
const others = {
  'notifications/progress': ['ProgressNotification'], 'notifications/message': ['LoggingMessageNotification'],
  'notifications/cancelled': ['CancelledNotification'], 'notifications/tools/list_changed': ['ToolListChangedNotification'],
  'notifications/prompts/list_changed': ['PromptListChangedNotification'], 'notifications/resources/list_changed': ['ResourceListChangedNotification'],
  'notifications/resources/updated': ['ResourceUpdatedNotification'], 'notifications/tasks/status': ['TaskStatusNotification'],
  'notifications/subscriptions/acknowledged': ['SubscriptionsAcknowledgedNotification'], 'notifications/tasks': ['tasks:TaskStatusNotification'],
  'elicitation/create': ['ElicitRequest'], 'sampling/createMessage': ['CreateMessageRequest'], 'roots/list': ['ListRootsRequest'],
};

const loaded = new Map();
function schemaOf(name) {
  if (loaded.has(name)) return loaded.get(name);
  const schema = JSON.parse(fs.readFileSync(sharedFile('mcp/schema', `${name}.json`), 'utf8'));
  const ajv = new (schema.$defs ? Ajv2020.default ?? Ajv2020 : Ajv.default ?? Ajv)({ strict: false, allErrors: true });
  (addFormats.default ?? addFormats)(ajv);
  ajv.addFormat('byte', true);
  ajv.addFormat('uri-template', true);
  ajv.addSchema(schema, 'mcp');
  const place = schema.$defs ? '$defs' : 'definitions';
  const one = { has: (definition) => definition in schema[place], validator: (definition) => ajv.getSchema(`mcp#/${place}/${definition}`) };
  loaded.set(name, one);
  return one;
}

/// Nothing where `value` is one of `definitions` of the revision; else what is wrong.
export function problemOf(revision, definitions, value) {
  const problems = [];
  for (const name of definitions) {
    const [, definition] = name.match(/^(?:tasks:)?(.*)$/);
    if (name.startsWith('tasks:') && revision !== modern) continue;
    const schema = schemaOf(name.startsWith('tasks:') ? 'ext-tasks' : revision);
    if (!schema.has(definition)) continue;
    const validate = schema.validator(definition);
    if (validate(value)) return undefined;
    problems.push(`${definition}: ${validate.errors.slice(0, 3).map((error) => `${error.instancePath} ${error.message}`).join(', ')}`);
  }
  return problems.length > 0 ? problems.join(' | ') : `revision ${revision} defines none of ${definitions}`;
}

export const record = { messages: 0, problems: [] };
process.on('exit', () => {
  for (const problem of record.problems.slice(0, 20)) console.error(`not by the schema: ${problem}`);
  if (record.problems.length > 0) process.exitCode = 1;
});

/// One conversation as it is recorded.
export class Conformity {
  #asked = new Map(); // id -> method and revision
  #revision = '2025-11-25';

  sent(message) {
    for (const one of Array.isArray(message) ? message : [message]) {
      if (one?.method === undefined || one.id === undefined) continue;
      const claim = one.params?._meta?.[versionKey];
      this.#asked.set(JSON.stringify(one.id), { method: one.method, revision: claim === undefined ? undefined : modern });
    }
  }

  received(message) {
    for (const one of Array.isArray(message) ? message : [message]) {
      record.messages += 1;
      const problem = this.#check(one);
      if (problem) record.problems.push(`${problem}\n    ${JSON.stringify(one).slice(0, 600)}`);
    }
  }

  #check(message) {
    if (message.method !== undefined) {
      const tagged = message.params?._meta?.['io.modelcontextprotocol/subscriptionId'] !== undefined;
      const modernOnly = tagged || [...this.#asked.values()].some(({ revision }) => revision === modern);
      return problemOf(modernOnly && message.id === undefined ? modern : this.#revision, others[message.method] ?? [], message);
    }
    const asked = this.#asked.get(JSON.stringify(message.id));
    this.#asked.delete(JSON.stringify(message.id));
    if (message.error !== undefined) return problemOf(asked?.revision ?? this.#revision, ['JSONRPCErrorResponse', 'JSONRPCError'], { id: 0, ...message });
    if (asked?.method === 'initialize') this.#revision = message.result.protocolVersion;
    const revision = asked?.revision ?? this.#revision;
    return asked && results[asked.method] ? problemOf(revision, results[asked.method], message.result) : undefined;
  }
}

/// Records what goes over a transport of either SDK.
export function recorded(transport) {
  const conformity = new Conformity();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => { conformity.sent(message); return send(message, options); };
  let heard;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => heard,
    set: (handler) => { heard = handler && ((message, extra) => { conformity.received(message); return handler(message, extra); }); },
  });
  return transport;
}
