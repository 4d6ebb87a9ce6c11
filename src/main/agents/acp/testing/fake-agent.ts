import type { World } from '../../scripted/testing/world';

/**
 * Arguments for a plain Node process that acts as an agent, for behaviour that the official SDK does not
 * permit. `handlers` is the text of an object: method -> (params, tell) => result.
 */
export function fakeAgent(handlers: string): string[] {
  const script = `
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const tell = (update, sessionId = 'S') => send({ method: 'session/update', params: { sessionId, update } });
    const text = (text, more) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...more });
    const asked = new Map();
    const ask = (method, params) => new Promise((resolve, reject) => {
      const id = 'q' + asked.size;
      asked.set(id, { resolve, reject });
      send({ id, method, params: { sessionId: 'S', ...params } });
    });
    const handlers = {
      initialize: () => ({ protocolVersion: 1 }),
      'session/new': () => ({ sessionId: 'S' }),
      'session/prompt': () => ({ stopReason: 'end_turn' }),
      ...${handlers},
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
      const { id, method, params, result, error } = JSON.parse(line);
      if (asked.has(id)) return error ? asked.get(id).reject(error) : asked.get(id).resolve(result);
      const handler = handlers[method];
      if (id === undefined || method === undefined) return handler?.(params);
      try {
        if (!handler) throw Object.assign(new Error('Method not found'), { code: -32601 });
        send({ id, result: await handler(params) });
      } catch (error) {
        send({ id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
      }
    }).on('close', () => process.exit(0));`;
  return ['-e', script];
}

/** A session with such an agent. Throws if it cannot be opened. */
export async function fake(world: World, handlers: string, wish = {}) {
  const opened = await world.tryCommand(process.execPath, fakeAgent(handlers), wish);
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  return opened.value;
}
