import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { GuardedProcesses } from '../index';

let count = 0;

/** A temporary folder for one test file, with links resolved. */
export function scratchFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `muster-${name}-`)));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Guarded processes of a separate instance; whatever a test leaves is ended with it. */
export function makeProcesses(
  dataDir: string,
  environment: NodeJS.ProcessEnv = process.env,
): GuardedProcesses {
  count += 1;
  const processes = new GuardedProcesses({
    dataDir,
    instanceId: `test-${process.pid}-${count}`,
    environment,
    runtime: { execPath: process.execPath, env: {} },
    askLoginShell: false,
  });
  onTestFinished(() => processes.endAll());
  return processes;
}
