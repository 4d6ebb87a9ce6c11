import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSandboxHost } from '../../../../../tools/lib/sandbox-page.mjs';
import type { ExecEnd, ExecOptions, Sandbox, SandboxOptions } from '../../../core/ports/programs/sandbox';
import { HostProcess } from '../host-process';

const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const electronFolder = join(root, 'node_modules', 'electron');
export const isRoot = process.getuid?.() === 0;

export interface BuiltHost {
  readonly out: string;
  readonly entry: string;
  readonly electron: string;
  readonly sandboxes: HostProcess;
  end(): Promise<void>;
}

const inHost = (from: string | RegExp, to: string) => ({ file: 'main/startup/sandbox-host.cjs', from, to });

/** How each isolation layer is removed from the built files. The product has no switch for any of them. */
const WALLS = {
  policy: [inHost('policy: true', 'policy: false')],
  requests: [inHost('requests: true', 'requests: false')],
  proxy: [inHost('proxy: true', 'proxy: false')],
  seal: [inHost('seal: true', 'seal: false')],
  ownSession: [inHost('ownSession: true', 'ownSession: false')],
  globals: [{ file: 'sandbox/worker.js', from: /jsglobals:\{[^}]*\}\}/, to: 'jsglobals:self' }],
  fileList: [inHost(/const type = remaining\.has[^;]*;/, 'const type = TYPES[name] ?? "text/plain";')],
  noNode: [
    inHost('sandbox: true', 'sandbox: false'),
    inHost('contextIsolation: true', 'contextIsolation: false'),
    inHost('nodeIntegration: false', 'nodeIntegration: true'),
    inHost(/\w+\.app\.enableSandbox\(\)/, 'void 0'),
  ],
  noPermissions: [
    inHost(/setPermissionCheckHandler\(\(\) => false\)/, 'setPermissionCheckHandler(() => true)'),
  ],
  noWindows: [inHost(/action: "deny"/, 'action: "allow"')],
  noNavigation: [inHost(/contents\.on\("will-(?:frame-)?navigate", [^;]*;/g, '')],
  // A host that allows downloads must name a place for them.
  noDownloads: [
    inHost(
      /\.on\("will-download", \(event\) => event\.preventDefault\(\)\)/,
      '.on("will-download", (event, item) => item.setSavePath(__dirname + "/downloaded.txt"))',
    ),
  ],
  wasmMemory: [inHost(/\n\s*limitWasmMemory\(\);/, '')],
  processMemory: [inHost('<= watched.limitMb', '<= Infinity')],
} satisfies Record<string, readonly { file: string; from: string | RegExp; to: string }[]>;
export type Wall = keyof typeof WALLS;

/** Built once for all hosts of a test file. */
let build: Promise<string> | null = null;

async function buildOnce(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'muster-sandbox-build-'));
  process.once('exit', () => rmSync(out, { recursive: true, force: true }));
  await buildSandboxHost({ root, out });
  return out;
}

/** The host process as built for the product; `without`: isolation layers removed from the built files. */
export async function builtHost(without: readonly Wall[] = [], spareMs = 0): Promise<BuiltHost> {
  const out = mkdtempSync(join(tmpdir(), 'muster-sandbox-out-'));
  build ??= buildOnce();
  cpSync(await build, out, { recursive: true });
  chmodSync(out, 0o755);
  for (const wall of without) takeAway(out, wall);
  const electron = join(electronFolder, 'dist', readFileSync(join(electronFolder, 'path.txt'), 'utf8'));
  const script = join(out, 'main', 'startup', 'sandbox-host.cjs');
  const sandboxes = new HostProcess({ electron: { program: electron, args: [script] }, isRoot, spareMs });
  return {
    out,
    entry: script,
    electron,
    sandboxes,
    end: async () => {
      await sandboxes.stop();
      rmSync(out, { recursive: true, force: true });
    },
  };
}

export const settings: SandboxOptions = {
  outputChars: 20_000,
  subcallChars: 500_000,
  batchSize: 1_000,
  memoryMb: 1_500,
  // Tests run as root and in containers; they test the browser's isolation.
  allowWeak: true,
};

export async function started(
  sandboxes: HostProcess,
  options: Partial<SandboxOptions> = {},
): Promise<Sandbox> {
  const made = await sandboxes.start({ ...settings, ...options });
  if (!made.ok) throw new Error(`${made.error.message} ${made.error.mend ?? ''}`);
  return made.value;
}

const noCalls: ExecOptions['ask'] = () => Promise.reject(new Error('no sub-call was expected'));

export const run = (sandbox: Sandbox, code: string, options: Partial<ExecOptions> = {}): Promise<ExecEnd> =>
  sandbox.exec(code, { seconds: 120, ask: noCalls, ...options });

/** A block's output; fails if it did not end. */
export async function printed(
  sandbox: Sandbox,
  code: string,
  options: Partial<ExecOptions> = {},
): Promise<string> {
  const end = await run(sandbox, code, options);
  if (end.kind === 'lost') throw new Error(`the sandbox was lost: ${end.reason}`);
  return [end.result.stdout, end.result.stderr, end.result.error ?? ''].join('').trimEnd();
}

/** What code left behind, whichever way it ended. */
export async function told(sandbox: Sandbox, code: string, seconds = 4): Promise<string> {
  const end = await run(sandbox, code, { seconds });
  if (end.kind === 'lost') return `lost: ${end.reason}`;
  return [end.result.stdout.slice(0, 500), end.result.stderr.slice(0, 500), end.result.error ?? ''].join('');
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function takeAway(out: string, wall: Wall): void {
  for (const { file, from, to } of WALLS[wall]) {
    const path = join(out, file);
    const text = readFileSync(path, 'utf8');
    const open = text.replace(from, to);
    if (open === text) throw new Error(`the wall ${wall} was not found in ${path}`);
    writeFileSync(path, open);
  }
}

/** The page runs other code first, as if taken over. Its log is written to the file. */
export function takeOver({ out, entry }: BuiltHost, code: string, log: string): void {
  const page = join(out, 'sandbox', 'page.js');
  writeFileSync(page, `${code}\n${readFileSync(page, 'utf8')}`);
  const host = readFileSync(entry, 'utf8');
  const line = `contents.on('console-message', (...told) => require('node:fs').appendFileSync(${JSON.stringify(log)}, told[2] + '\\n'));`;
  const listening = host.replace(/const contents = view\.webContents;/, (found) => `${found}\n${line}`);
  if (listening === host) throw new Error('the page was not found');
  writeFileSync(entry, listening);
}
