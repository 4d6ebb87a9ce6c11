import type { EvidenceKind } from '@contract/evidence/evidence';
import type { Json } from '@contract/ids';
import type { ContextBundle } from '@contract/workflow/definition';
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
export function mergeParts(view: View, phases: readonly Phase[]): string {
  return phases
    .map(({ agent: index, turns }) => {
      const agent = view.config.agents[index];
      const heading = `═══ ${agent?.role ?? ''}: ${nameOf(view, agent)} ═══`;
      return `${heading}\n${mergeResponses(turns.map((turn) => turn.response))}`;
    })
    .join('\n');
}

/** All answers so far, including an incomplete part. */
export function answeredParts(view: View, course: Course): Phase[] {
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
export function testResults(view: View): Json {
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
  const bundle = (content: Json, port: string, kind: EvidenceKind): ContextBundle =>
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
  const { diff, files, warnings } = changesOf(view);
  const outputs: Record<string, ContextBundle> = {
    data_out: bundle(merged, 'data_out', 'markdown'),
    diff_out: bundle(diff, 'diff_out', 'diff'),
    files_out: bundle(files, 'files_out', 'files'),
    summary_out: bundle(summaryOf(view, parts), 'summary_out', 'markdown'),
    ...(view.config.capture_test_results
      ? { test_results_out: bundle(testResults(view), 'test_results_out', 'tests') }
      : {}),
    receipt_out: bundle(receipt, 'receipt_out', 'json'),
  };
  const signals = outcome === 'succeeded' ? [...Object.keys(outputs), 'signal_out'] : [];
  return { kind: 'finish', outcome, outputs, signals, receipt, warnings, error };
}

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

/** One diff and one list of files; one entry per agent if agents had their own folders. */
function changesOf(view: View): { diff: Json; files: Json; warnings: string[] } {
  const { config } = view;
  const taken = (agent: number | null) => view.captures.find((one) => one.name === captureOfAll(view, agent));
  if (config.coordination !== 'parallel') {
    const all = taken(null);
    return { diff: all?.diff?.text ?? '', files: filesOf(all), warnings: warningsOf([all]) };
  }
  const each = config.agents.map((agent, index) => ({ agent, capture: taken(index) }));
  const about = (agent: CodingConfig['agents'][number]) => ({
    agent_role: agent.role,
    agent_name: nameOf(view, agent),
  });
  return {
    diff: each.map(({ agent, capture }) => ({ ...about(agent), diff: capture?.diff?.text ?? '' })),
    files: each.map(({ agent, capture }) => ({ ...about(agent), files: filesOf(capture) })),
    warnings: warningsOf(each.map((one) => one.capture)),
  };
}

const filesOf = (capture: EndedCapture | undefined): Json =>
  (capture?.files ?? []).map(({ path, oldPath, status, added, removed }) => ({
    path,
    old_path: oldPath,
    status,
    added,
    removed,
  }));

function warningsOf(captures: readonly (EndedCapture | undefined)[]): string[] {
  return captures.flatMap((capture) => {
    if (capture === undefined) return [];
    if (capture.error !== null) return [`the changes could not be read: ${capture.error.message}`];
    if (capture.diff === null) return ['the working folder is not a git repository, so there is no diff'];
    const { truncated, path } = capture.diff;
    return [
      ...(truncated ? [`the diff is cut; all of it is in ${path ?? 'the workspace'}`] : []),
      ...(capture.filesTruncated ? ['not all changed files are listed'] : []),
    ];
  });
}

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
