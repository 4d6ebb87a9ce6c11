import { messageOf } from '@contract/error-message';
/**
 * The scripted agent: a separate program that speaks the Agent Client Protocol over standard streams and
 * takes its replies from a file. Bundled to out/main/scripted-agent.js.
 */

import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { ownValue } from '@contract/own';
import { appOf, ScriptedAgent } from './agent';
import { parseScript } from './script';
import { State } from './state';

// Under Electron it runs as Node; its own child processes must not.
delete process.env.ELECTRON_RUN_AS_NODE;

function setting(name: string): string {
  const value = ownValue(process.env, name);
  if (!value) throw new Error(`The environment variable ${name} is missing.`);
  return value;
}

function prepare(): ScriptedAgent | RequestError {
  try {
    const file = setting('MUSTER_SCRIPTED_SCRIPT');
    const script = parseScript(readFileSync(file, 'utf8'), file);
    const state = new State(setting('MUSTER_SCRIPTED_STATE'), setting('MUSTER_SCRIPTED_RECORD'));
    return new ScriptedAgent({ script, state, asks: process.env.MUSTER_SCRIPTED_ASKS === '1' });
  } catch (error) {
    return new RequestError(-32603, messageOf(error));
  }
}

const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>;
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const connection = appOf(prepare()).connect(ndJsonStream(output, input));
void connection.closed.then(() => process.exit(0));
