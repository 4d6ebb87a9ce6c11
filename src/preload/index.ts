import type { MusterBridge } from '@contract/ipc';
import { PAGE_READY_MS } from '@contract/limits';
import { eventChannel, lineChannel, rpcChannel, terminalChannel } from '@contract/system/channels';
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';

/**
 * Calls whose answers the first picture needs are made before the scripts of the page are read. The subscription comes
 * first: a push before the page has taken an answer marks that answer as outdated, so nothing is missed.
 */
const early = new Map<string, Promise<unknown>>();
const invoke = (name: string, input: unknown): Promise<unknown> =>
  ipcRenderer.invoke(rpcChannel, { name, input });
const keyOf = (name: string, input: unknown): string => `${name} ${JSON.stringify(input)}`;

function askEarly(): void {
  const place = /^#\/([a-z]*)/.exec(window.location.hash)?.[1] ?? '';
  const calls: [string, unknown][] = [
    ['settings.get', {}],
    ['app.getLayout', {}],
    ['project.list', {}],
    ['gate.list', { status: 'open' }],
  ];
  if (place === 'feed') calls.push(['feed.list', { limit: 100 }]);
  ipcRenderer.send(eventChannel, { topics: ['system', 'runs', 'gates', 'feed', 'workflows', 'settings'] });
  for (const [name, input] of calls) early.set(keyOf(name, input), invoke(name, input));
  ipcRenderer.on(eventChannel, (_event, pushes: unknown) => {
    const news = Array.isArray(pushes) ? pushes.filter((push) => push?.topic !== 'system') : [];
    if (news.length > 0) early.clear();
  });
  setTimeout(() => early.clear(), PAGE_READY_MS);
}

/** What the page has given to be told pushes. */
const heard = new Set<(pushes: unknown) => void>();
let line: MessagePort | null = null;
// The core tells what happens in a run on a port of its own, past main; which, was asked of main and not of the port.
ipcRenderer.on(lineChannel, ({ ports: [port] }) => {
  line?.close();
  line = port ?? null;
  if (line === null) return;
  line.onmessage = ({ data }) => {
    for (const listener of heard) listener(data);
  };
});

const bridge: MusterBridge = {
  call: (name, input) => {
    const key = keyOf(name, input);
    const answer = early.get(key) ?? invoke(name, input);
    early.delete(key);
    return answer;
  },
  subscribe: (topics) => ipcRenderer.send(eventChannel, { topics }),
  onPush: (listener) => {
    // The event itself stays here: it would hand the window a way to every channel.
    const forward = (_event: IpcRendererEvent, pushes: unknown): void => listener(pushes);
    ipcRenderer.on(eventChannel, forward);
    heard.add(listener);
    return () => {
      ipcRenderer.off(eventChannel, forward);
      heard.delete(listener);
    };
  },
  pathOf: (file) => webUtils.getPathForFile(file as File),
};

// A port cannot cross the bridge; the page gets it as a message of this very window.
ipcRenderer.on(terminalChannel, (event, view: unknown) => {
  window.postMessage({ kind: terminalChannel, view }, window.location.origin, event.ports as never);
});

askEarly();
contextBridge.exposeInMainWorld('muster', bridge);
