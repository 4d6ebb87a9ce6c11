import type { MusterBridge } from '@contract/ipc';
import { eventChannel } from '@contract/system/channels';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Heard = (event: unknown, pushes: unknown) => void;

const electron = vi.hoisted(() => ({
  followed: [] as string[],
  asked: [] as string[],
  heard: [] as Heard[],
  bridge: null as unknown,
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (_name: string, bridge: unknown) => (electron.bridge = bridge) },
  ipcRenderer: {
    send: (_channel: string, { topics }: { topics: string[] }) => (electron.followed = topics),
    invoke: async (_channel: string, { name }: { name: string }) => electron.asked.push(name),
    on: (channel: string, heard: Heard) => channel === eventChannel && electron.heard.push(heard),
    off: () => undefined,
  },
  webUtils: {},
}));

/** What happens is told to who follows it only. */
function happens(topic: string): void {
  if (electron.followed.includes(topic)) for (const heard of electron.heard) heard(null, [{ topic }]);
}

async function opened(): Promise<MusterBridge> {
  Object.assign(electron, { followed: [], asked: [], heard: [], bridge: null });
  vi.resetModules();
  vi.stubGlobal('window', { location: { hash: '' } });
  await import('./index');
  return electron.bridge as MusterBridge;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ['settings.get', {}, 'settings'],
  ['project.list', {}, 'workflows'],
  ['gate.list', { status: 'open' }, 'gates'],
])(
  'the query %s is asked ahead, and again where it has changed before the page took the answer',
  async (name, input, topic) => {
    const asked = () => electron.asked.filter((one) => one === name).length;
    await (await opened()).call(name, input);
    expect(asked()).toBe(1);
    const bridge = await opened();
    happens(topic);
    await bridge.call(name, input);
    expect(asked()).toBe(2);
  },
);
