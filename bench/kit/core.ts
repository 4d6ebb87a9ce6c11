import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import { INLINE_TEXTS, type WholeTexts } from '@main/core/ports/whole-texts';
import { stepRegistry } from '../../src/features/core';
import { openStore } from '../../src/main/adapters/sqlite/open';
import { Effects } from '../../src/main/core/engine/effects/effects';
import { Engine } from '../../src/main/core/engine/engine';
import { NO_QUESTIONS } from '../../src/main/core/engine/testing/no-questions';
import type { CommandPort, CommandResult } from '../../src/main/core/ports/ports';
import type { Store } from '../../src/main/core/ports/store/store';

const RESULT: CommandResult = {
  outcome: 'exited',
  exitCode: 0,
  output: 'done\n',
  outputPath: null,
  outputBytes: 5,
  error: null,
};

/** Commands that end as soon as they begin. */
const noOps: CommandPort = {
  run: () => ({ done: Promise.resolve(RESULT), kill: () => undefined }),
};

const noLoop = async () => {
  throw new Error('no loops in the benches');
};

export function openOrThrow(path: string): Store {
  const opened = openStore({ path });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

interface BenchParts {
  readonly commands?: CommandPort;
  readonly wholeTexts?: (artifactsDir: string) => WholeTexts;
  /** Folders that exist; by default none is needed. */
  readonly folders?: { artifacts(): string; readonly workspace: string };
}

/** The real engine, steps and store, with commands that do nothing unless others are given. */
export class BenchCore {
  static readonly result = RESULT;
  readonly store: Store;
  readonly engine: Engine;
  private readonly projectId: number;
  private readonly artifacts: () => string;
  private readonly finished = new Map<number, () => void>();
  private runs = 0;
  /** Called for each event once it is committed. */
  heard: (event: RunEvent) => unknown = () => undefined;

  constructor(path: string, { commands = noOps, wholeTexts = () => INLINE_TEXTS, folders }: BenchParts = {}) {
    const workspace = { path: folders?.workspace ?? '/work', branch: null, baseCommit: null };
    this.artifacts = folders?.artifacts ?? (() => '/artifacts');
    this.store = openOrThrow(path);
    const logger = {
      info: () => undefined,
      warn: () => undefined,
      error: (message: string, detail?: Record<string, unknown>) => {
        throw new Error(`${message} ${JSON.stringify(detail)}`);
      },
    };
    const clock = { now: Date.now, at: () => () => undefined };
    const publisher = {
      committed: (runId: number, events: readonly StoredEvent[], state: { status: string }) => {
        for (const { event } of events) this.heard(event);
        if (state.status === 'finished') this.finished.get(runId)?.();
      },
      streamed: () => undefined,
    };
    const parts = { log: this.store.log, clock, logger, publisher };
    this.engine = new Engine({
      ...parts,
      registry: stepRegistry,
      wholeTexts,
      partialResponse: () => ({ response: '' }),
      breathe: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
      effects: (engine) =>
        new Effects({
          ...parts,
          engine,
          agents: new Map(),
          commands,
          tools: null,
          merges: {
            rehearse: async () => ({
              ok: true,
              value: { target: '', targetCommit: '', files: 0, conflicts: [] },
            }),
            changes: async () => ({ ok: true, value: { root: '', files: [], from: '', to: '' } }),
            merge: async () => ({ ok: true, value: { kind: 'made', commit: null } }),
          },
          ...NO_QUESTIONS,
          loops: {
            open: noLoop,
            prepare: noLoop,
            examine: noLoop,
            look: noLoop,
            begun: noLoop,
            logs: noLoop,
            follow: noLoop,
          },
          workspaces: {
            prepare: async () => ({ ok: true, value: workspace }),
            branch: async () => ({ ok: true, value: workspace }),
            head: async () => null,
            revive: async () => ({ ok: true, value: [] }),
            readable: async () => ({ ok: true, value: undefined }),
            state: async () => ({ ok: true, value: null }),
            snapshot: async () => ({ ok: true, value: null }),
            changes: async () => null,
            keptSnapshot: async () => null,
            diff: async () => ({ ok: true, value: null }),
          },
          transcripts: { append: () => undefined, turn: () => [] },
          rules: { match: () => null },
          joinPath: (...names) => names.join('/'),
        }),
    });
    this.projectId =
      this.store.projects()[0]?.id ?? this.store.addProject('/project', 'project', Date.now()).id;
  }

  async start(definition: WorkflowDefinition): Promise<number> {
    this.runs += 1;
    const started = await this.engine.start({
      type: 'run.started',
      uid: `${process.pid}-${this.runs}`,
      name: definition.name,
      projectId: this.projectId,
      projectPath: '/project',
      sourceFile: null,
      definition,
      profiles: {},
      instruction: '',
      attachments: [],
      files: {},
      projectContext: null,
      artifactsDir: this.artifacts(),
      workspaceMode: 'folder',
      startedBy: 'bench',
      references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
    });
    if (!started.ok) throw new Error(started.error.message);
    return started.value;
  }

  /** Starts a run and waits for its end. */
  async run(definition: WorkflowDefinition): Promise<void> {
    const runId = await this.start(definition);
    if (this.engine.live(runId)?.state.status === 'finished') return;
    await new Promise<void>((resolve) => this.finished.set(runId, resolve));
  }
}
