import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckoutPort } from '@areas/projects/node/checkout-service';
import type { CoreInit } from '@contract/system/host';
import type { FeaturePorts } from '@features/contract';
import { featurePorts } from '@features/node';
import { createTranscripts, type Transcripts } from '../adapters/files/transcripts';
import { GitThread } from '../adapters/git/command/git-thread';
import type { CheckoutMoves } from '../adapters/git/moves';
import { GuardedProcesses } from '../adapters/process';
import { PipeCommands } from '../adapters/process/commands/commands';
import { createProcessList } from '../adapters/process/table/process-list';
import { findMarked } from '../adapters/process/table/process-table';
import { PtyClient } from '../adapters/pty-client/client';
import { TerminalCommands } from '../adapters/pty-client/commands';
import { sweepShellStates } from '../adapters/pty-client/shells/shell-state';
import { FileTexts } from '../adapters/run-texts';
import { TextFiles } from '../adapters/run-texts/whole-texts';
import { ThreadBackups } from '../adapters/sqlite/backup';
import { createClock, type SystemClock } from '../adapters/system/clock';
import { createLogger } from '../adapters/system/logger';
import type { Redactor } from '../agents/redact';
import type { Backups } from '../core/ports/backups';
import type { CommandPort, Logger } from '../core/ports/ports';
import type { ProcessList } from '../core/ports/programs/process';
import type { Sandboxes } from '../core/ports/programs/sandbox';
import type { RunTexts } from '../core/ports/run-texts';
import type { Store } from '../core/ports/store/store';
import type { RunTextFiles } from '../core/ports/whole-texts';
import type { ApplyPort } from '../core/ports/workspaces/apply-port';
import type { MergeReads, Merges } from '../core/ports/workspaces/merges';
import type { WorkspaceEdits } from '../core/ports/workspaces/workspace-edits';
import type { Workspaces } from '../core/ports/workspaces/workspaces';
import { SPARE_SANDBOX_MS } from '../limits/core';
import { late } from '../sdk/load-on-call';
import { LateTools } from './wiring/session-tools';

/** Everything outside of the process that a core uses. */
export interface Adapters {
  readonly tools: LateTools;
  readonly merges: Merges & MergeReads & ApplyPort;
  readonly checkouts: CheckoutPort;
  readonly ports: FeaturePorts;
  readonly sandboxes: Sandboxes;
  readonly texts: RunTexts;
  /** Large texts of runs, each a file of its run's folder. */
  readonly textFiles: RunTextFiles;
  readonly clock: SystemClock;
  readonly logger: Logger;
  readonly store: Store;
  readonly backups: Backups;
  readonly processes: GuardedProcesses;
  /** Other programs' processes, read-only. */
  readonly processList: ProcessList;
  readonly pty: PtyClient;
  readonly commands: CommandPort;
  readonly transcripts: Transcripts;
  readonly git: GitThread;
  readonly workspaces: Workspaces & WorkspaceEdits;
  /** Keychain values; updated when the operator changes them. */
  readonly secrets: Map<string, string>;
  /** By session key, for sessions with secrets. */
  readonly redactors: Map<string, Redactor>;
  readonly artifactsRoot: string;
  readonly worktreesDir: string;
  /** Ends what survived an earlier core but no run has taken over, including what is reported later. */
  endStrays(): void;
  /** Ends what an earlier instance left. Nothing is started before that is done. */
  settle(): Promise<void>;
}

/** Over an open store: a core without the database's lease must touch nothing else. */
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
  const worktreesDir = join(init.dataDir, 'worktrees');
  const gitThread = pathToFileURL(join(init.processDir, 'git-thread.js'));
  const git = new GitThread(gitThread, searchPath, worktreesDir);
  // Filled in when known: nothing is started before.
  const environment: Record<string, string> = {};
  const redactors = new Map<string, Redactor>();
  const terminal = new TerminalCommands({ client: pty, environment });
  const commands = new PipeCommands(processes, { terminal });
  const { moves, checkouts } = makeMoves(join(init.dataDir, 'moves'), git);
  return {
    clock,
    logger,
    store,
    backups: new ThreadBackups(store.path, pathToFileURL(join(init.processDir, 'backup-thread.js'))),
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
        moves: await moves(),
        worktreesDir,
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
    checkouts,
    merges: late<Merges & MergeReads & ApplyPort>(async () => {
      const { GitMerges } = await import('../adapters/git/merge/merge');
      return new GitMerges(await moves(), git);
    }),
    ports: featurePorts({ git, moves }),
    sandboxes: makeSandboxes(init.processDir),
    textFiles: new TextFiles(),
    texts: new FileTexts(async (cwd, ...args) => {
      const { Git } = await import('../adapters/git/command/git-command');
      return new Git(cwd, git).maybe(...args);
    }),
    secrets: new Map(Object.entries(init.secrets)),
    artifactsRoot: join(init.dataDir, 'artifacts'),
    worktreesDir,
    endStrays: () => pty.endStrays(() => true),
    settle: async () => {
      await processes.reapLeftovers([worktreesDir]);
      await sweepShellStates();
      Object.assign(environment, await processes.environment());
    },
  };
}

/** Sandboxes have their own Electron process, started with the first of them. */
function makeSandboxes(processDir: string): Sandboxes {
  let made: Promise<Sandboxes> | null = null;
  const make = async (): Promise<Sandboxes> => {
    const [{ HostProcess }, { hostProgram }] = await Promise.all([
      import('../adapters/sandbox/host-process'),
      import('../adapters/sandbox/electron'),
    ]);
    return new HostProcess({
      electron: hostProgram(processDir, process.execPath),
      isRoot: process.getuid?.() === 0,
      spareMs: SPARE_SANDBOX_MS,
    });
  };
  return {
    start: async (options) => {
      made ??= make();
      return (await made).start(options);
    },
    stop: async () => (await made)?.stop(),
  };
}

/** Changes checkouts, and reports interrupted changes. */
function makeMoves(
  dir: string,
  git: GitThread,
): { readonly moves: () => Promise<CheckoutMoves>; readonly checkouts: CheckoutPort } {
  const listeners = new Set<() => void>();
  let made: Promise<CheckoutMoves> | null = null;
  const make = async (): Promise<CheckoutMoves> => {
    const { CheckoutMoves, MOVE_MARK } = await import('../adapters/git/moves');
    return new CheckoutMoves({
      dir,
      git,
      isMarked: async (id) =>
        process.platform === 'win32'
          ? null
          : (await findMarked(MOVE_MARK, (value) => value === id)).length > 0,
      changed: () => {
        for (const listener of listeners) listener();
      },
    });
  };
  const moves = () => {
    made ??= make();
    return made;
  };
  const checkouts: CheckoutPort = {
    // Most starts find none, and then nothing of git is loaded.
    interrupted: async () =>
      (await readdir(dir).catch(() => [])).length === 0 ? [] : (await moves()).interrupted(),
    settle: async (id, how) => (await moves()).settle(id, how),
    onChange: (listener) => void listeners.add(listener),
  };
  return { moves, checkouts };
}
