import { join } from 'node:path';
import { ok, type Result } from '@contract/result';
import type { CoreInit } from '@contract/system/host';
import { createTranscripts } from '../adapters/files/transcripts';
import { GitWorkspaces } from '../adapters/git';
import { GuardedProcesses } from '../adapters/process';
import { PipeCommands } from '../adapters/process/commands';
import { PtyClient } from '../adapters/pty-client/client';
import { TerminalCommands } from '../adapters/pty-client/commands';
import { sweepShellStates } from '../adapters/pty-client/shell-state';
import { openStore } from '../adapters/sqlite/open';
import { createClock, type SystemClock } from '../adapters/system/clock';
import { createLogger } from '../adapters/system/logger';
import type { TranscriptStore } from '../core/ports/documents';
import type { CommandPort, Logger } from '../core/ports/ports';
import type { Workspaces } from '../core/ports/workspaces';
import type { Store } from '../core/ports/store';

/** Everything of the outside world that a core uses. */
export interface Adapters {
  readonly clock: SystemClock;
  readonly logger: Logger;
  readonly store: Store;
  readonly processes: GuardedProcesses;
  readonly pty: PtyClient;
  readonly commands: CommandPort;
  readonly transcripts: TranscriptStore;
  readonly workspaces: Workspaces;
  /** Values of the keychain; changed when the operator changes them. */
  readonly secrets: Map<string, string>;
  readonly artifactsRoot: string;
}

/** Takes the database first: whoever does not get its lease touches nothing else. Then ends what an earlier instance left. */
export async function openAdapters(init: CoreInit): Promise<Result<Adapters>> {
  const opened = openStore({ path: init.dbPath });
  if (!opened.ok) return opened;
  const clock = createClock();
  const processes = new GuardedProcesses({
    dataDir: init.dataDir,
    instanceId: init.instanceId,
    environment: process.env,
    runtime: init.nodeRuntime,
  });
  await processes.reapLeftovers();
  await sweepShellStates();
  const pty = new PtyClient();
  const terminal = new TerminalCommands({ client: pty, environment: await processes.environment() });
  return ok({
    clock,
    logger: createLogger(join(init.dataDir, 'logs', 'core.log')),
    store: opened.value,
    processes,
    pty,
    commands: new PipeCommands(processes, { terminal }),
    transcripts: createTranscripts(clock.now),
    workspaces: new GitWorkspaces({ worktreesDir: join(init.dataDir, 'worktrees') }),
    secrets: new Map(Object.entries(init.secrets)),
    artifactsRoot: join(init.dataDir, 'artifacts'),
  });
}
