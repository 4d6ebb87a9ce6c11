import type { AgentProfile } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { fail, ok } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type {
  AgentPort,
  Append,
  Clock,
  CommandPort,
  CommandResult,
  EventLog,
  TurnResult,
} from '@main/core/ports/ports';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';

/** A store for one dry run. */
export class InMemoryLog implements EventLog {
  readonly rows: StoredEvent[] = [];

  append = async ({ runId, events }: Append) => {
    const stored = events.map(({ at, event }): StoredEvent => {
      const seq = this.rows.length + 1;
      const row = { id: seq, runId, seq, at, event };
      this.rows.push(row);
      return row;
    });
    return ok(stored);
  };
  read = (_runId: number, afterSeq = 0) => this.rows.slice(afterSeq);
  unfinished = () => [];
  nextRunId = () => 1;
  flush = () => undefined;
}

/** A clock that advances only when nothing else can be done. */
export class SkippingClock implements Clock {
  private time: number;
  private readonly waiting: { readonly at: number; readonly run: () => void }[] = [];

  constructor(now: number) {
    this.time = now;
  }

  now = () => this.time;
  at = (at: number, run: () => void) => {
    const entry = { at, run };
    this.waiting.push(entry);
    return () => {
      const index = this.waiting.indexOf(entry);
      if (index >= 0) this.waiting.splice(index, 1);
    };
  };

  /** Advances to the next pending timer; false if there is none. */
  skip(): boolean {
    const [next] = [...this.waiting].sort((one, other) => one.at - other.at);
    if (next === undefined) return false;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.time = Math.max(this.time, next.at);
    next.run();
    return true;
  }
}

interface Scripted {
  readonly state: () => RunState | null;
  /** What the step answers or prints. */
  readonly answerOf: (stepId: string, prompt: string) => ScriptedAnswer;
}

export type ScriptedAnswer = string | { readonly fails: 'failed' | 'cancelled' };

/** Agents that answer at once, without a process. */
export function scriptedAgents({ state, answerOf }: Scripted): ReadonlyMap<AgentProfile['kind'], AgentPort> {
  const stepOf = (turnId: number): string => {
    const run = state();
    return run?.activations[run.turns[turnId]?.activationId ?? 0]?.stepId ?? '';
  };
  const capabilities = { resume: true, cancel: true, permissions: false, images: true, embeddedFiles: true };
  const open: AgentPort['open'] = async (spec) =>
    ok({
      ready: {
        providerSessionId: null,
        agent: spec.profile.name,
        capabilities,
        fresh: spec.resume === null,
        notice: null,
      },
      turn: async ({ turnId, prompt }) => turnResult(answerOf(stepOf(turnId), prompt)),
      cancel: async () => undefined,
      park: async () => undefined,
      close: async () => undefined,
    });
  const agent: AgentPort = { kind: 'scripted', open };
  const kinds: readonly AgentProfile['kind'][] = ['acp', 'cli', 'gateway', 'scripted'];
  return new Map(kinds.map((kind) => [kind, agent]));
}

/** Commands that are reported, but never run. */
export const shownCommands = ({ state, answerOf }: Scripted): CommandPort => ({
  run({ commandId, script }) {
    const run = state();
    const stepId = run?.activations[run.commands[commandId]?.activationId ?? 0]?.stepId ?? '';
    const answer = answerOf(stepId, script);
    const output = typeof answer === 'string' ? answer : '';
    const fails = typeof answer === 'string' ? null : answer.fails;
    const result: CommandResult = {
      outcome: fails === 'cancelled' ? 'cancelled' : 'exited',
      exitCode: fails === null ? 0 : fails === 'failed' ? 1 : null,
      output,
      outputPath: null,
      outputBytes: output.length,
      error: null,
    };
    return { done: Promise.resolve(result), kill: () => undefined };
  },
});

const FOLDER = { path: '(working folder)', branch: null, baseCommit: null };

/** Folders that are only names. */
export const noFolders: Workspaces = {
  prepare: async () => ok(FOLDER),
  branch: async () => ok(FOLDER),
  revive: async () => ok([]),
  readable: async () => ok(undefined),
  state: async () => ok(null),
  head: async () => null,
  snapshot: async () => ok(null),
  keptSnapshot: async () => null,
  changes: async () => null,
  diff: async () => ok(null),
};

export const noneHere = () => fail('unavailable', 'a dry run has none');

function turnResult(answer: ScriptedAnswer): TurnResult {
  const fails = typeof answer === 'string' ? null : answer.fails;
  const error = fails === 'failed' ? appError('agent.failed', 'it fails by the values of the dry run') : null;
  return {
    outcome: fails ?? 'completed',
    stopReason: 'end_turn',
    response: typeof answer === 'string' ? answer : '',
    usage: null,
    error,
    limitResetsAt: null,
  };
}
