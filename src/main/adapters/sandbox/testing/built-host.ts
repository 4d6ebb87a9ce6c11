import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSandboxHost } from '../../../../../tools/lib/sandbox-page.mjs';
import type { ExecEnd, ExecOptions, Sandbox, SandboxOptions } from '../../../core/ports/sandbox';
import { HostProcess } from '../host-process';

export const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
const electronFolder = join(root, 'node_modules', 'electron');
export const isRoot = process.getuid?.() === 0;

export interface BuiltHost {
  readonly out: string;
  readonly entry: string;
  readonly electron: string;
  readonly sandboxes: HostProcess;
  end(): Promise<void>;
}

export type Wall = 'policy' | 'requests' | 'proxy' | 'seal' | 'ownSession' | 'globals';

/** The host process as it is built for the product; `without`: walls that are taken out of the built files. */
export async function builtHost(without: readonly Wall[] = [], spareMs = 0): Promise<BuiltHost> {
  const out = mkdtempSync(join(tmpdir(), 'muster-sandbox-out-'));
  await buildSandboxHost({ root, out });
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
  // Tests run as root and in containers; the walls that they try are those of the browser.
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
  sandbox.exec(code, { seconds: 30, ask: noCalls, ...options });

/** What a block printed; fails where it did not end. */
export async function printed(
  sandbox: Sandbox,
  code: string,
  options: Partial<ExecOptions> = {},
): Promise<string> {
  const end = await run(sandbox, code, options);
  if (end.kind === 'lost') throw new Error(`the sandbox was lost: ${end.reason}`);
  return [end.result.stdout, end.result.stderr, end.result.error ?? ''].join('').trimEnd();
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function takeAway(out: string, wall: Wall): void {
  const inWorker = wall === 'globals';
  const file = inWorker
    ? join(out, 'sandbox', 'worker.js')
    : join(out, 'main', 'startup', 'sandbox-host.cjs');
  const text = readFileSync(file, 'utf8');
  const open = inWorker
    ? text.replace(/jsglobals:\{[^}]*\}\}/, 'jsglobals:self')
    : text.replace(`${wall}: true`, `${wall}: false`);
  if (open === text) throw new Error(`the wall ${wall} was not found in ${file}`);
  writeFileSync(file, open);
}
