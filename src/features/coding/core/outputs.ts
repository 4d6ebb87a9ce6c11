import {
  changeReference,
  diffForm,
  diffOfAgent,
  filesContent,
  type RecordedChange,
} from '@areas/changes/contract/change-bundle';
import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import type { StoredBundle, WholeBundle } from '@areas/workflows/contract/definition';
import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { mergeResponses } from '@main/core/step/agent/reprompts';
import type { FinishDecision } from '@main/core/step/decision';
import type { ActivationView, AnsweredTurn, EndedCapture } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { type CodingConfig, laneOf } from './config';
import { nameOf } from './prompts';
import { isTestRun } from './test-runs';
import type { Course, Phase } from './walk';

type View = ActivationView<CodingConfig>;

/** The name for capturing all changes of the step at this point of its work. */
export function captureOfAll(view: View, agent: number | null): string {
  const agents = agent === null ? [...view.config.agents.keys()] : [agent];
  const spent = agents.flatMap((one) => view.lane(laneOf(one)).spent?.turnId ?? []);
  // The turn may be resent, and is then counted once: a capture for it then means something else.
  const upTo = spent.length === 0 ? '' : `, up to turn ${Math.max(...spent)}`;
  return `${agent === null ? 'all' : laneOf(agent)} after ${view.promptsSent} prompts${upTo}`;
}

/** An agent's turns: the answered ones, and one that it ended after too many requests. */
export function workedTurns(view: View, agent: number): AnsweredTurn[] {
  const { turns, spent } = view.lane(laneOf(agent));
  return [...turns, ...(spent === null ? [] : [spent])].filter((turn) => turn !== undefined);
}

/**
 * The merged format of seed 000 section 4.1: for each agent's part a heading, its primary response, then the
 * responses to its re-prompts. In a review chain the parts are in chronological order.
 */
function mergeParts(view: View, phases: readonly Phase[]): string {
  return phases
    .map(({ agent: index, turns }) => {
      const agent = view.config.agents[index];
      const heading = `═══ ${agent?.role ?? ''}: ${nameOf(view, agent)} ═══`;
      return `${heading}\n${mergeResponses(turns.map((turn) => turn.response))}`;
    })
    .join('\n');
}

/** All answers so far, including an incomplete part. */
function answeredParts(view: View, course: Course): Phase[] {
  const parts = [...course.phases];
  for (const [agent] of view.config.agents.entries()) {
    const { turns } = view.lane(laneOf(agent));
    const agentTurns = parts.filter((part) => part.agent === agent).flatMap((part) => part.turns);
    const known = new Set(agentTurns.map((turn) => turn.turnId));
    const rest = turns.filter((turn) => turn !== undefined && !known.has(turn.turnId));
    const round = parts.filter((part) => part.agent === agent).length + 1;
    // Beyond complete parts, the rest is the answer to a reminder, which belongs to no part.
    if (rest.length > 0 && course.approved === null) parts.push({ agent, round, turns: rest });
  }
  return parts;
}

/**
 * The last test run over all agents, by the time it ended, since agents may work in parallel (SPEC
 * "Re-prompts"). If an agent did not report that time, the end of its turn counts.
 */
function testResults(view: View): Json {
  const turns = view.config.agents.flatMap((_, agent) => workedTurns(view, agent));
  const inOrder = turns.sort((a, b) => a.turnId - b.turnId);
  const runs = inOrder
    .flatMap((turn) =>
      turn.commands
        .filter(({ command }) => isTestRun(command, view.config.test_patterns))
        .map((run) => ({ ...run, turn: turn.turnId, at: run.at ?? turn.finishedAt ?? 0 })),
    )
    .sort((a, b) => a.at - b.at);
  const last = runs.at(-1);
  if (last === undefined) return { captured: false, reason: 'no_test_run' };
  const { command, exitCode, outputTail, turn } = last;
  return { captured: true, command, exit_code: exitCode, output_tail: outputTail, turn };
}

interface Ending {
  readonly outcome: 'succeeded' | 'failed';
  readonly error: FinishDecision['error'];
}

/** All outputs of the step, from its answers and captures. */
export function finishCoding(view: View, course: Course, { outcome, error }: Ending): FinishDecision {
  const parts = answeredParts(view, course);
  const single = view.config.agents.length === 1 ? view.lane(laneOf(0)).sessionKey : null;
  const bundle = (content: Json, port: string, kind: EvidenceKind): WholeBundle =>
    makeBundle(content, {
      stepId: view.stepId,
      activationId: view.activationId,
      port,
      sessionKey: single,
      kind,
    });
  const receipt = receiptOf(view, course);
  const merged = {
    merged_content: mergeParts(view, parts),
    response_count: parts.reduce((sum, part) => sum + part.turns.length, 0),
    has_re_prompts: view.config.agents.some((agent) => agent.re_prompts.length > 0),
  };
  const { diff, files, warnings, unread } = changesOf(view);
  const ended = unread !== null && outcome === 'succeeded' ? unreadChanges(unread) : { outcome, error };
  const outputs: Record<string, StoredBundle> = {
    data_out: bundle(merged, 'data_out', 'markdown'),
    diff_out: withForm(withChange(bundle(diff.content, 'diff_out', diff.kind ?? 'diff'), diff), diff),
    files_out: withChange(bundle(files.content, 'files_out', files.kind ?? 'files'), files),
    summary_out: bundle(summaryOf(view, parts), 'summary_out', 'markdown'),
    ...(view.config.capture_test_results
      ? { test_results_out: bundle(testResults(view), 'test_results_out', 'tests') }
      : {}),
    receipt_out: bundle(receipt, 'receipt_out', 'json'),
  };
  const signals = ended.outcome === 'succeeded' ? [...Object.keys(outputs), 'signal_out'] : [];
  return { kind: 'finish', ...ended, outputs, signals, receipt, warnings };
}

/** A step whose changes are unknown must not look like one that changed nothing. */
const unreadChanges = (cause: AppError): Ending => ({
  outcome: 'failed',
  error: appError('step.failed', `The changes of the step cannot be read: ${cause.message}`, {
    ...(cause.where && { where: cause.where }),
    mend: cause.mend ?? 'Repair the folder, then resume the run: nothing is sent again.',
  }),
});

const withChange = (bundle: WholeBundle, { change }: Content): WholeBundle =>
  change === null ? bundle : { ...bundle, metadata: { ...bundle.metadata, ...changeReference(change) } };

const withForm = ({ content, ...rest }: WholeBundle, { change }: Content): StoredBundle => ({
  ...(change === null ? { content } : diffForm(change)),
  ...rest,
});

/** Each agent's last response; with headings if there are several. */
function summaryOf(view: View, parts: readonly Phase[]): string {
  const last = view.config.agents.flatMap((agent, index) => {
    const part = parts.findLast((one) => one.agent === index);
    const response = part?.turns.at(-1)?.response;
    return response === undefined ? [] : [{ agent, response }];
  });
  if (view.config.agents.length === 1) return last[0]?.response ?? '';
  return last
    .map(({ agent, response }) => `═══ ${agent.role}: ${nameOf(view, agent)} ═══\n${response}`)
    .join('\n');
}

interface Content {
  readonly content: Json;
  /** Set where the content has another form. */
  readonly kind?: EvidenceKind;
  /** The recorded change that the content shows; null if there are several, or none. */
  readonly change: RecordedChange | null;
}

interface Changes {
  readonly diff: Content;
  readonly files: Content;
  readonly warnings: readonly string[];
  /** Why a change is unknown. */
  readonly unread: AppError | null;
}

/** One diff and one list of files; one entry per agent if agents had their own folders. */
function changesOf(view: View): Changes {
  const { config } = view;
  const taken = (agent: number | null) => view.captures.find((one) => one.name === captureOfAll(view, agent));
  if (config.coordination !== 'parallel') {
    const all = taken(null);
    const unknown = unknownWords(all);
    const told: Content | null = unknown === null ? null : { content: unknown, kind: 'text', change: null };
    const change = all === undefined ? null : recorded(all);
    return {
      diff: told ?? { content: '', change },
      files: told ?? { content: change === null ? [] : filesContent(change), change },
      warnings: warningsOf([all]),
      unread: all?.error ?? null,
    };
  }
  const each = config.agents.map((agent, index) => ({ agent, capture: taken(index) }));
  const entries = (of: (change: RecordedChange | null, unknown: string | null) => Record<string, Json>) =>
    each.map(({ agent, capture }): Record<string, Json> => {
      const change = capture === undefined ? null : recorded(capture);
      return {
        agent_role: agent.role,
        agent_name: nameOf(view, agent),
        ...of(change, unknownWords(capture)),
        ...(change === null ? {} : changeReference(change)),
      };
    });
  const ofDiff = entries((change, unknown) => ({
    diff: unknown ?? (change === null ? '' : diffOfAgent(change)),
  }));
  const ofFiles = entries((change, unknown): Record<string, Json> => {
    const files = change === null ? [] : filesContent(change);
    return unknown === null ? { files } : { files, unknown };
  });
  return {
    diff: { content: ofDiff, change: null },
    files: { content: ofFiles, change: null },
    warnings: warningsOf(each.map((one) => one.capture)),
    unread: each.flatMap(({ capture }) => capture?.error ?? [])[0] ?? null,
  };
}

/** Null: the change is unknown. */
const recorded = ({ id, diff, files, error }: EndedCapture): RecordedChange | null =>
  error === null && diff !== null ? { captureId: id, diff, files } : null;

function unknownWords(capture: EndedCapture | undefined): string | null {
  if (capture === undefined || recorded(capture) !== null) return null;
  return capture.error === null
    ? 'The changes are unknown: the working folder is not a git repository.'
    : `The changes cannot be read: ${capture.error.message}`;
}

/** A large diff without a file of its own is on the port as a part of it, which says so. */
function warningsOf(captures: readonly (EndedCapture | undefined)[]): string[] {
  return captures.flatMap((capture) => {
    if (capture === undefined) return [];
    const unknown = unknownWords(capture);
    if (unknown !== null) return [unknown];
    const omitted = capture.diff?.omitted ?? [];
    if (omitted.length === 0 || capture.diff?.whole !== undefined) return capture.notes;
    const names = omitted.slice(0, MOST_NAMED).map(({ path }) => path);
    const more = omitted.length > MOST_NAMED ? ` and ${omitted.length - MOST_NAMED} more` : '';
    const where = capture.diff?.path ?? 'the working folder';
    return [
      ...capture.notes,
      `diff_out leaves out ${names.join(', ')}${more}, because of its size; the whole diff is in ${where}`,
    ];
  });
}

/** Maximum names in one warning. */
const MOST_NAMED = 5;

function receiptOf(view: View, course: Course): Record<string, Json> {
  const agents = view.config.agents.map((agent, index): Record<string, Json> => {
    const lane = view.lane(laneOf(index));
    return {
      role: agent.role,
      agent: nameOf(view, agent),
      responses: lane.turns.length,
      re_prompt_count: agent.re_prompts.length,
      session_key: lane.sessionKey,
      tokens: lane.turns.reduce((sum, turn) => sum + (turn?.usage?.total_tokens ?? 0), 0),
    };
  });
  const rounds = course.reviews.length;
  return {
    step_id: view.stepId,
    attempt: view.attempt,
    coordination: view.config.coordination,
    agents,
    re_prompt_count: view.config.agents.reduce((sum, agent) => sum + agent.re_prompts.length, 0),
    prompts_sent: view.promptsSent,
    tokens: agents.reduce((sum, agent) => sum + Number(agent.tokens), 0),
    ...(view.config.coordination === 'review_chain' ? { approved: course.approved === true, rounds } : {}),
  };
}
