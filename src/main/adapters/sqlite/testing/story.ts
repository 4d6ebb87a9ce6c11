import type { Result } from '@contract/result';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import type { Append } from '../../../core/ports/ports';
import type { Store } from '../../../core/ports/store/store';

interface Start {
  readonly uid: string;
  readonly projectId: number;
  readonly name?: string;
  readonly steps?: readonly string[];
  readonly instruction?: string;
}

export function started({
  uid,
  projectId,
  name = 'sample',
  steps = ['write', 'review'],
  instruction = '',
}: Start): RunEventOf<'run.started'> {
  return {
    type: 'run.started',
    uid,
    name,
    projectId,
    projectPath: '/projects/sample',
    sourceFile: '.muster/workflows/sample.yaml',
    definition: {
      name,
      workspace: 'folder',
      max_parallel: 4,
      steps: steps.map((id) => ({ id, type: 'step.agent_task', title: `Step ${id}`, config: {} })),
      cables: [],
    },
    profiles: {
      writer: {
        kind: 'scripted',
        id: 'writer',
        name: 'Writer',
        env: {},
        secrets: [],
        permissions: 'ask',
        read_only: false,
        max_sessions: 4,
        silence_minutes: null,
        script: 'sample',
      },
    },
    instruction,
    attachments: [],
    files: {},
    projectContext: null,
    artifactsDir: '/artifacts/sample',
    workspaceMode: 'folder',
    startedBy: 'operator',
    references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
  };
}

/** A run as held by its engine: the state, folded with the events about to be appended. */
export class Teller {
  readonly runId: number;
  #state: RunState | null = null;
  #at: number;

  constructor(
    private readonly store: Store,
    at = 1_000,
  ) {
    this.runId = store.log.nextRunId();
    this.#at = at;
  }

  get state(): RunState {
    if (this.#state === null) throw new Error('the run has not started');
    return this.#state;
  }

  /** Events one millisecond apart. */
  next(events: readonly RunEvent[]): Append {
    const expectedSeq = this.#state?.seq ?? 0;
    const dated = events.map((event) => ({ at: this.#at++, event }));
    dated.forEach(({ at, event }, index) => {
      this.#state = reduce(this.#state, { seq: expectedSeq + index + 1, at, event });
    });
    return { runId: this.runId, expectedSeq, events: dated, state: this.state };
  }

  tell(...events: RunEvent[]): Promise<Result<readonly StoredEvent[]>> {
    return this.store.log.append(this.next(events));
  }
}

export const activation = (activationId: number, stepId: string): RunEvent => ({
  type: 'activation.started',
  activationId,
  stepId,
  attempt: 1,
  inputs: [],
});

export const activationEnd = (
  activationId: number,
  outcome: RunEventOf<'activation.finished'>['outcome'] = 'succeeded',
): RunEvent => ({
  type: 'activation.finished',
  activationId,
  outcome,
  outputs: {
    data_out: {
      content: `The result of activation ${activationId}.`,
      source_session_key: null,
      metadata: {},
    },
  },
  signals: ['signal_out'],
  receipt: { re_prompt_count: 0 },
  warnings: [],
  error: null,
});

export const session = (sessionId: number, activationId: number): RunEvent => ({
  type: 'session.starting',
  sessionId,
  activationId,
  profileId: 'writer',
  model: null,
  mode: null,
  env: {},
});

interface TurnWords {
  readonly turnId: number;
  readonly activationId?: number;
  readonly sessionId?: number;
  readonly ordinal?: number;
  readonly of?: number;
  readonly prompt: string;
}

export const turn = ({
  turnId,
  activationId = 1,
  sessionId = 1,
  ordinal = 0,
  of = 1,
  prompt,
}: TurnWords): RunEvent => ({
  type: 'turn.dispatched',
  turnId,
  sessionId,
  activationId,
  ordinal,
  kind: ordinal === 0 ? 'primary' : 'reprompt',
  prompt,
  attachments: [],
  of,
  resendOf: null,
});

export const turnEnd = (turnId: number, response: string, tokens: number | null = 10): RunEvent => ({
  type: 'turn.finished',
  turnId,
  outcome: 'completed',
  stopReason: 'end_turn',
  response,
  usage:
    tokens === null
      ? null
      : { input_tokens: 4, output_tokens: tokens - 4, total_tokens: tokens, cost_usd: 0.25 },
  commit: null,
  error: null,
  limitResetsAt: null,
});

export const gate = (gateId: number, activationId: number | null = 1): RunEvent => ({
  type: 'gate.opened',
  gateId,
  kind: 'approval',
  activationId,
  turnId: null,
  sessionId: null,
  commandId: null,
  title: 'Approve the report',
  message: 'Is it good?',
  evidence: 'The report.',
  request: null,
  options: [{ id: 'approve', label: 'Approve', effect: 'The run goes on.', tone: 'approve' }],
  why: null,
});

export const update = (
  summary: string,
  result: RunEventOf<'update.posted'>['update']['result'] = 'completed',
): RunEvent => ({
  type: 'update.posted',
  activationId: 1,
  turnId: null,
  stepId: 'write',
  update: {
    iteration: 1,
    of: 1,
    retry: 0,
    story: { id: 'write', title: 'Step write' },
    storySource: 'step',
    result,
    commit: null,
    summary: [summary],
  },
  text: `Iteration 1/1\nStory: write - Step write\nResult: ${result}\nCommit: none\nSummary: ${summary}`,
});

export const runEnd: RunEvent = { type: 'run.finished', outcome: 'succeeded', reason: null };

export const timerFired = (timerId: number): RunEvent => ({ type: 'timer.fired', timerId });
