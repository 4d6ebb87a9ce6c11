import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CoreInit } from '@contract/system/host';
import { createTranscripts, type Transcripts } from '../adapters/files/transcripts';
import { GitThread } from '../adapters/git/git-thread';
import { GuardedProcesses } from '../adapters/process';
import { PipeCommands } from '../adapters/process/commands';
import { createProcessList } from '../adapters/process/process-list';
import { PtyClient } from '../adapters/pty-client/client';
import { TerminalCommands } from '../adapters/pty-client/commands';
import { sweepShellStates } from '../adapters/pty-client/shell-state';
import { createClock, type SystemClock } from '../adapters/system/clock';
import { createLogger } from '../adapters/system/logger';
import type { Redactor } from '../agents/redact';
import type { Loops } from '../core/ports/loops';
import type { Merges } from '../core/ports/merges';
import type { CommandPort, Logger } from '../core/ports/ports';
import type { ProcessList } from '../core/ports/process';
import type { Store } from '../core/ports/store';
import type { WorkspaceEdits } from '../core/ports/workspace-edits';
import type { Workspaces } from '../core/ports/workspaces';
import { late } from './late';
import { LateTools } from './session-tools';

/** Everything of the outside world that a core uses. */
export interface Adapters {
  readonly tools: LateTools;
  readonly merges: Merges;
  readonly loops: Loops;
  readonly clock: SystemClock;
  readonly logger: Logger;
  readonly store: Store;
  readonly processes: GuardedProcesses;
  /** Those of others, which are only looked at. */
  readonly processList: ProcessList;
  readonly pty: PtyClient;
  readonly commands: CommandPort;
  readonly transcripts: Transcripts;
  readonly git: GitThread;
  readonly workspaces: Workspaces & WorkspaceEdits;
  /** Values of the keychain; changed when the operator changes them. */
  readonly secrets: Map<string, string>;
  /** Of sessions that were given some of them, by their keys. */
  readonly redactors: Map<string, Redactor>;
  readonly artifactsRoot: string;
  /** Ends what outlived an earlier core and no run has taken up, also what is heard of only later. */
  endStrays(): void;
  /** Ends what an earlier instance left. Until it is over nothing is started. */
  settle(): Promise<void>;
}

/** Over a store that is open: whoever does not get the database's lease touches nothing else. */
export function makeAdapters(init: CoreInit, store: Store): Adapters {
  const clock = createClock();
  const logger = createLogger(join(init.dataDir, 'logs', 'core.log'));
  const processes = new GuardedProcesses({
    dataDir: init.dataDir,
    instanceId: init.instanceId,
    environment: process.env,
    runtime: init.nodeRuntime,
  });
  const pty = new PtyClient();
  const searchPath = async (): Promise<string | undefined> => (await processes.environment()).PATH;
  const git = new GitThread(pathToFileURL(join(init.processDir, 'git-thread.js')), searchPath);
  // Filled in when it is known: nothing is started before.
  const environment: Record<string, string> = {};
  const redactors = new Map<string, Redactor>();
  const terminal = new TerminalCommands({ client: pty, environment });
  const commands = new PipeCommands(processes, { terminal });
  return {
    clock,
    logger,
    store,
    processes,
    processList: createProcessList(),
    pty,
    commands,
    transcripts: createTranscripts(clock.now),
    git,
    workspaces: late<Workspaces & WorkspaceEdits>(async () => {
      const { GitWorkspaces, scriptsOver } = await import('../adapters/git');
      return new GitWorkspaces({
        git,
        worktreesDir: join(init.dataDir, 'worktrees'),
        runScript: scriptsOver(commands),
      });
    }),
    redactors,
    tools: new LateTools(redactors, async () => {
      const { McpTools } = await import('../adapters/mcp/server');
      return new McpTools({
        logger,
        runtime: init.nodeRuntime,
        bridge: join(init.processDir, 'mcp-bridge.js'),
      });
    }),
    merges: late<Merges>(async () => {
      const { GitMerges } = await import('../adapters/git/merge');
      return new GitMerges(git);
    }),
    loops: late<Loops>(async () => {
      const { GitLoops } = await import('../adapters/git/loop');
      return new GitLoops(undefined, git);
    }),
    secrets: new Map(Object.entries(init.secrets)),
    artifactsRoot: join(init.dataDir, 'artifacts'),
    endStrays: () => pty.endStrays(() => true),
    settle: async () => {
      await processes.reapLeftovers();
      await sweepShellStates();
      Object.assign(environment, await processes.environment());
    },
  };
}
