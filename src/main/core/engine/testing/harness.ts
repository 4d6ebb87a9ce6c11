import type { AgentProfile } from '@areas/agents/contract/profile';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { firstEventFault } from '@contract/run/check-event';
import type { RunEvent, StoredEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { stepRegistry } from '@features/core';
import type { Loops } from '@features/loop/contract/ports';
import type { Append, EventLog } from '../../ports/ports';
import type { NewRule, Rules } from '../../ports/rules';
import { PausePoints } from '../../ports/testing/pause-points';
import type { Merges } from '../../ports/workspaces/merges';
import type { DiffWanted, WorkspaceDiff, WorkspaceRun, Workspaces } from '../../ports/workspaces/workspaces';
import { Effects } from '../effects/effects';
import { Engine } from '../engine';
import { FakeAgents } from './fake-agents';
import { FakeCommands } from './fake-commands';
import { MemoryTextFiles } from './memory-texts';
import { NO_QUESTIONS, type QuestionPorts } from './no-questions';

/** An in-memory log that can be made to fail. */
export class MemoryLog implements EventLog {
  readonly rows: StoredEvent[] = [];
  /** Events that the store rejected; each is a bug of its producer. */
  readonly refused: AppError[] = [];
  failing = 0;
  commits = 0;
  /** What is committed with events. */
  keepRule: (rule: NewRule) => void = () => undefined;
  private reserved = 0;

  async append(append: Append): Promise<Result<readonly StoredEvent[]>> {
    await Promise.resolve();
    const written = this.write(append);
    if (!written.ok) append.refused?.();
    return written;
  }

  private write(append: Append): Result<readonly StoredEvent[]> {
    if (this.failing > 0) {
      this.failing -= 1;
      return fail('store.disk_full', 'the disk is full');
    }
    const fault = firstEventFault(append.events);
    if (fault !== null) {
      this.refused.push(fault);
      return err(fault);
    }
    const last = this.rows.filter((row) => row.runId === append.runId).length;
    if (last !== append.expectedSeq)
      return fail('conflict', `seq ${append.expectedSeq}, but the run is at ${last}`);
    this.commits += 1;
    const stored = append.events.map(({ at, event }, index) => ({
      id: this.rows.length + index + 1,
      runId: append.runId,
      seq: last + index + 1,
      at,
      event: structuredClone(event),
    }));
    this.rows.push(...stored);
    if (append.rule !== undefined) this.keepRule(append.rule);
    return ok(stored);
  }

  read(runId: number, afterSeq = 0): StoredEvent[] {
    return structuredClone(this.rows.filter((row) => row.runId === runId && row.seq > afterSeq));
  }

  unfinished(): number[] {
    return [...new Set(this.rows.map((row) => row.runId))].filter(
      (id) => replay(this.read(id))?.status !== 'finished',
    );
  }

  nextRunId(): number {
    this.reserved = Math.max(this.reserved, ...this.rows.map((row) => row.runId), 0) + 1;
    return this.reserved;
  }

  flush(): void {}
}

class ManualClock {
  time = 1_000;
  private readonly waiting: { at: number; run: () => void }[] = [];
  now = () => this.time;
  at = (at: number, run: () => void) => {
    const entry = { at, run };
    this.waiting.push(entry);
    return () => {
      const index = this.waiting.indexOf(entry);
      if (index >= 0) this.waiting.splice(index, 1);
    };
  };

  /** Pending operations of a killed process never resolve. */
  clear(): void {
    this.waiting.length = 0;
  }

  advance(ms: number): void {
    this.time += ms;
    for (const entry of this.waiting.filter((other) => other.at <= this.time)) {
      this.waiting.splice(this.waiting.indexOf(entry), 1);
      entry.run();
    }
  }
}

/** Folders that are only names; requests are recorded. */
class FakeWorkspaces implements Workspaces {
  readonly branched: { key: string; from: string }[] = [];
  readonly kept: string[] = [];
  readonly compared: DiffWanted[] = [];
  /** The diff between any two snapshots, by folder. */
  diffs: (wanted: DiffWanted) => WorkspaceDiff | null = () => null;
  refuse: (key: string) => ReturnType<typeof appError> | null = () => null;

  /** Folder creation never completes by itself. */
  hangs = false;

  constructor(private readonly made: Workspaces['prepare']) {}

  prepare = (run: WorkspaceRun) => this.made(run);
  head = async () => null;
  readable: Workspaces['readable'] = async () => ok(undefined);
  state: Workspaces['state'] = async () => ok(null);
  changes: Workspaces['changes'] = async () => null;
  keptSnapshot: Workspaces['keptSnapshot'] = async () => null;

  async branch(run: WorkspaceRun, { key, from }: { key: string; from: string }) {
    this.branched.push({ key, from });
    if (this.hangs) await (run.unwanted ?? new Promise(() => undefined));
    const refused = this.refuse(key);
    if (refused !== null) return err(refused);
    return ok({ path: `/work-${key}`, branch: `muster/${key}`, baseCommit: `base-${key}` });
  }

  /** Why no snapshot can be taken. */
  lost: ReturnType<typeof appError> | null = null;
  /** Branches whose folder was recreated. */
  readonly revived: string[] = [];

  snapshot: Workspaces['snapshot'] = async (_place, name) => {
    this.kept.push(name);
    return this.lost === null ? ok(null) : err(this.lost);
  };

  revive: Workspaces['revive'] = async (_run, branches) => {
    if (this.lost === null) return ok([]);
    this.lost = null;
    this.revived.push(...branches);
    return ok(branches);
  };

  async diff(wanted: DiffWanted) {
    this.compared.push(wanted);
    return ok(this.diffs(wanted));
  }
}

const noFiles = async () => fail('workspace.failed', 'this harness has no files');
const noLoops: Loops = {
  open: noFiles,
  prepare: noFiles,
  examine: noFiles,
  look: noFiles,
  begun: noFiles,
  logs: async () => ok([]),
  follow: async () => () => undefined,
};

export const fakeProfile: AgentProfile = {
  kind: 'scripted',
  id: 'fake',
  name: 'Fake',
  env: {},
  secrets: [],
  permissions: 'ask',
  read_only: false,
  max_sessions: 8,
  silence_minutes: null,
  script: 'none',
};

/**
 * A core without a disk: the real engine and steps, with agents, commands and a log controlled by the test.
 */
export class Harness {
  readonly clock = new ManualClock();
  readonly agents = new FakeAgents();
  readonly commands = new FakeCommands();
  rules: Rules = { match: () => null };
  readonly folders = new FakeWorkspaces((run) => this.workspace(run));
  merges: Merges = {
    rehearse: async () => ok({ target: 'main', targetCommit: 'abc', files: 1, conflicts: [] }),
    changes: async () => ok({ root: '/work', files: [], from: '', to: '' }),
    merge: async () => ok({ kind: 'made', commit: 'merged' }),
  };
  /** Set by tests of loops. */
  loops: Loops = noLoops;
  /** Set by tests of questions over documents, before the core starts. */
  readonly questions: QuestionPorts;
  readonly logged: string[] = [];
  /** Pauses in the calls of the ports: `log`, `agents`, `session`, `commands`, `workspaces`, `merges`, `loops`. */
  readonly points = new PausePoints();
  /** An agent's partial response before an interruption. */
  partial = 'partial';
  readonly textFiles = new MemoryTextFiles();
  breathe: () => Promise<void> = async () => undefined;
  engine: Engine;
  workspace: Workspaces['prepare'] = async () => ok({ path: '/work', branch: 'muster/x', baseCommit: 'abc' });

  /** `store` replaces the in-memory log, for a test with a real database. */
  constructor(
    readonly log: MemoryLog = new MemoryLog(),
    private readonly store: EventLog = log,
    questions: Partial<QuestionPorts> = {},
  ) {
    this.questions = { ...NO_QUESTIONS, ...questions };
    this.engine = this.start();
  }

  /** A new core on the same log, as after kill -9: the old core's work in flight is interrupted. */
  private start(): Engine {
    const around = this.points.nextCore();
    this.agents.wrap = (session) => around('session', session);
    const agents = around('agents', this.agents);
    const say = (message: string, detail?: Record<string, unknown>) =>
      void this.logged.push(`${message} ${JSON.stringify(detail ?? {})}`);
    const logger = { info: () => undefined, warn: say, error: say };
    const publisher = { committed: () => undefined, streamed: () => undefined };
    return new Engine({
      log: around('log', this.store),
      clock: this.clock,
      logger,
      publisher,
      registry: stepRegistry,
      wholeTexts: this.textFiles.of,
      partialResponse: () => ({ response: this.partial }),
      breathe: () => this.breathe(),
      effects: (engine) =>
        new Effects({
          engine,
          agents: new Map([
            ['scripted', agents],
            ['cli', agents],
            ['gateway', agents],
          ]),
          commands: around('commands', this.commands),
          workspaces: around('workspaces', this.folders),
          transcripts: { append: () => undefined, turn: () => [] },
          publisher,
          clock: this.clock,
          tools: null,
          merges: around('merges', this.merges),
          loops: around('loops', {
            open: (...asked) => this.loops.open(...asked),
            prepare: (...asked) => this.loops.prepare(...asked),
            examine: (...asked) => this.loops.examine(...asked),
            look: (...asked) => this.loops.look(...asked),
            begun: (...asked) => this.loops.begun(...asked),
            logs: (...asked) => this.loops.logs(...asked),
            follow: (...asked) => this.loops.follow(...asked),
          } satisfies Loops),
          sandboxes: around('sandboxes', this.questions.sandboxes),
          completions: around('completions', this.questions.completions),
          texts: around('texts', this.questions.texts),
          rules: { match: (request, context) => this.rules.match(request, context) },
          logger,
          joinPath: (...parts) => parts.join('/'),
        }),
    });
  }

  async restart(): Promise<void> {
    await this.restartEngine();
    await this.idle();
  }

  /** Like `restart`, but `engine` is the new core from its first moment on. */
  async restartEngine(): Promise<void> {
    this.clock.clear();
    this.agents.cut();
    this.commands.cut();
    this.engine = this.start();
    await this.engine.recover();
  }

  async run(
    definition: Omit<Partial<WorkflowDefinition>, 'steps'> & { readonly steps: readonly unknown[] },
    more: {
      instruction?: string;
      projectContext?: string;
      profiles?: Record<string, AgentProfile>;
      prompts?: Record<string, string>;
      workspaceMode?: RunState['workspaceMode'];
      inputs?: Record<string, string>;
      baseBranch?: string | null;
      files?: RunState['files'];
      attachments?: RunState['attachments'];
      called?: Record<string, WorkflowDefinition>;
    } = {},
  ): Promise<number> {
    const started = await this.engine.start({
      type: 'run.started',
      uid: `U${this.log.rows.length}`,
      name: definition.name ?? 'test',
      projectId: 1,
      projectPath: '/project',
      sourceFile: null,
      definition: workflowDefinitionSchema.parse({ name: 'test', ...definition }),
      ...(more.called === undefined ? {} : { called: more.called }),
      profiles: more.profiles ?? { fake: fakeProfile },
      instruction: more.instruction ?? '',
      attachments: [...(more.attachments ?? [])],
      files: more.files ?? {},
      projectContext: more.projectContext ?? null,
      prompts: more.prompts ?? {},
      references: {
        baseBranch: more.baseBranch === undefined ? 'main' : more.baseBranch,
        docsDir: 'docs/',
        inputs: more.inputs ?? {},
      },
      artifactsDir: '/artifacts',
      workspaceMode: more.workspaceMode ?? 'worktree',
      startedBy: 'test',
    });
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
    await this.idle();
    return started.value;
  }

  /** Lets everything happen that needs no action of the test. */
  async idle(): Promise<void> {
    for (let i = 0; i < 60; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  state(runId = 1): RunState {
    const state = replay(this.log.read(runId));
    if (state === null) throw new Error('no run');
    return state;
  }

  events(runId = 1): RunEvent[] {
    return this.log.read(runId).map((row) => row.event);
  }

  async answer(
    option: string,
    more: { reason?: string; text?: string; gateId?: number } = {},
  ): Promise<void> {
    const { gateId, ...answer } = more;
    const state = this.state();
    const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
    const id = gateId ?? open[0]?.id ?? 0;
    await this.engine.command(1, () =>
      ok([{ type: 'gate.resolved', gateId: id, answer: { option, ...answer }, by: 'test' }]),
    );
    await this.idle();
  }

  async cancel(): Promise<void> {
    await this.engine.command(1, () => ok([{ type: 'run.cancel-requested', by: 'test' }]));
    await this.idle();
  }
}

export const task = (
  id: string,
  config: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) => ({
  id,
  type: 'step.agent_task',
  config: { instruction: `do ${id}`, acp_profile_id: 'fake', ...config },
  ...more,
});

export const gate = (id: string, config: Record<string, unknown> = {}) => ({
  id,
  type: 'step.approval',
  config: { message: `approve ${id}?`, ...config },
});
