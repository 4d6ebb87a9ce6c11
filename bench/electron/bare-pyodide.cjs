/**
 * `bare-pyodide.cjs PYODIDE`: Pyodide in a worker of a sandboxed view, without Muster. Messages on the
 * channel from its parent: `exec`, `context`, `answer`; to its parent: `ready`, `done`, `taken`, `call`.
 */
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { app, MessageChannelMain, protocol, session, WebContentsView } = require('electron');

const PAGE = `addEventListener('message', ({ ports: [port] }) => {
  const worker = new Worker('worker.js', { type: 'module' });
  const control = new Int32Array(new SharedArrayBuffer(8));
  const data = new Uint8Array(new SharedArrayBuffer(1 << 20));
  worker.onmessage = (event) => port.postMessage(event.data);
  port.onmessage = (event) => {
    if (event.data.kind !== 'answer') return worker.postMessage(event.data);
    const bytes = new TextEncoder().encode(event.data.text);
    data.set(bytes);
    control[1] = bytes.length;
    Atomics.store(control, 0, 1);
    Atomics.notify(control, 0);
  };
  worker.postMessage({ kind: 'begin', control, data });
});`;

const WORKER = `import { loadPyodide } from './pyodide.mjs';
let py, control, data;
const call = (text) => {
  postMessage({ kind: 'call', text });
  Atomics.wait(control, 0, 0);
  control[0] = 0;
  return new TextDecoder().decode(data.slice(0, control[1]));
};
onmessage = async ({ data: message }) => {
  if (message.kind === 'begin') {
    ({ control, data } = message);
    py = await loadPyodide({ indexURL: location.origin + '/' });
    py.registerJsModule('host', { call });
    py.runPython('import host\\ncontext = []');
    postMessage({ kind: 'ready' });
  } else if (message.kind === 'exec') {
    postMessage({ kind: 'done', text: String(py.runPython(message.code)) });
  } else {
    py.globals.get('context').append(message.text);
    postMessage({ kind: 'taken' });
  }
};`;

const OWN = {
  'index.html': '<!doctype html><script src="page.js"></script>',
  'page.js': PAGE,
  'worker.js': WORKER,
};
const TYPES = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };
const pyodide = process.argv.at(-1);
const dataDir = mkdtempSync(join(tmpdir(), 'bare-pyodide-'));
let view = null;

app.setPath('userData', dataDir);
app.disableHardwareAcceleration();
app.on('window-all-closed', () => undefined);
process.on('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true });
  app.exit(0);
});
protocol.registerSchemesAsPrivileged([
  { scheme: 'bare', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
]);

function served(request) {
  const name = new URL(request.url).pathname.slice(1);
  const body = OWN[name] ?? readFileSync(join(pyodide, name));
  return new Response(body, {
    headers: {
      'Content-Type': TYPES[name.split('.').at(-1)] ?? 'application/octet-stream',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  });
}

app.whenReady().then(async () => {
  const ses = session.fromPartition('bare', { cache: false });
  ses.protocol.handle('bare', served);
  const preload = join(__dirname, 'bare-pyodide-preload.cjs');
  view = new WebContentsView({
    webPreferences: {
      session: ses,
      preload,
      sandbox: true,
      contextIsolation: true,
      backgroundThrottling: false,
    },
  });
  await view.webContents.loadURL('bare://repl/index.html');
  const { port1, port2 } = new MessageChannelMain();
  port1.on('message', ({ data }) => process.send(data));
  port1.start();
  process.on('message', (message) => port1.postMessage(message));
  view.webContents.postMessage('port', null, [port2]);
});
