import { promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { agentRef } from '@main/core/step/agent/agent';
import { type CheckedAnswer, checkedAnswer } from '@main/core/step/agent/checked-answer';
import { ended, ownTurn, quoted } from '@main/core/step/agent/single-call';
import type { StepDecision, StepDecisions } from '@main/core/step/decision';
import { type OutputFormat, outputFormat } from '@main/core/step/output/output-format';
import { type Candidate, candidatesOf } from './candidates';
import { MOST_CANDIDATES, type View } from './config';
import { rounded, type Scored, scoresFormat, scoresIn, winnerOf } from './scores';

/** Each order is judged in a separate session, so that the second judgement does not repeat the first. */
const LANES = ['first-order', 'second-order'] as const;

interface Judgement {
  readonly lane: string;
  /** The candidates in the order shown to this judge. */
  readonly shown: readonly Candidate[];
  readonly answer: CheckedAnswer;
}

/**
 * A single candidate is scored once; several are compared in both orders (seed 000 section 8: no re-prompts).
 */
export function decideJudge(view: View): StepDecisions {
  const candidates = candidatesOf(view);
  const fault = faultOf(candidates);
  if (fault !== null)
    return ended(view, { content: null, kind: 'json', error: appError('step.failed', fault) });
  const format = outputFormat(scoresFormat(view.config, candidates.length));
  const orders = candidates.length === 1 ? [candidates] : [candidates, [...candidates].reverse()];
  const judgements = orders.map((shown, index): Judgement => {
    const lane = LANES[index] ?? '';
    return { lane, shown, answer: checkedAnswer(view.lane(lane).turns, format) };
  });
  for (const { answer } of judgements)
    if (answer.kind === 'invalid')
      return ended(view, { content: answer.response, kind: 'markdown', error: answer.error });
  const turns = judgements.flatMap((one) => turnOf(view, one, format) ?? []);
  return turns.length > 0 ? turns : finish(view, candidates, judgements);
}

function faultOf(candidates: readonly Candidate[]): string | null {
  if (candidates.length === 0) return 'target_in has nothing to judge';
  if (candidates.length <= MOST_CANDIDATES) return null;
  return `${candidates.length} candidates arrived; at most ${MOST_CANDIDATES} are judged`;
}

function turnOf(view: View, { lane, shown, answer }: Judgement, format: OutputFormat): StepDecision | null {
  const agent = agentRef(view.config);
  if (answer.kind === 'none')
    return ownTurn({
      agent,
      lane,
      ordinal: 0,
      of: 1,
      prompt: `${promptOf(view, shown)}\n\n${format.instruction}`,
    });
  if (answer.kind !== 'repair') return null;
  return ownTurn({ agent, lane, turn: 'reminder', ordinal: 1, of: 2, prompt: answer.prompt });
}

function promptOf(view: View, shown: readonly Candidate[]): string {
  const { criteria, max_score, instruction = '' } = view.config;
  const values = {
    instruction,
    criteria: criteria.map(({ id, description }) => `- ${id}: ${description}`).join('\n'),
    scale: `0 to ${max_score}`,
  };
  const text = (id: 'judge/score' | 'judge/compare') => view.promptText(id) ?? '';
  const [only] = shown;
  if (shown.length === 1 && only !== undefined) {
    const candidate = quoted(only.text);
    return renderPrompt(promptSchema('judge/score'), text('judge/score'), { ...values, candidate }).trim();
  }
  const candidates = shown.map((one, index) => `## candidate_${index + 1}\n${quoted(one.text)}`).join('\n\n');
  return renderPrompt(promptSchema('judge/compare'), text('judge/compare'), { ...values, candidates }).trim();
}

function finish(
  view: View,
  candidates: readonly Candidate[],
  judgements: readonly Judgement[],
): StepDecision {
  const { config } = view;
  // Both in the candidates' own order.
  const orders = judgements.map(({ answer }, index): Scored[] => {
    const scored = answer.kind === 'valid' ? scoresIn(answer.json, config, candidates.length) : [];
    return index === 0 ? scored : scored.reverse();
  });
  const summary = candidates.map(({ name }, at): { [key: string]: Json } => {
    const each = orders.flatMap((order) => order[at] ?? []);
    const total = rounded(each.reduce((sum, one) => sum + one.total, 0) / Math.max(1, each.length));
    return {
      name,
      total,
      judgements: each.map(({ scores, reason, total: of }) => ({ scores, reason, total: of })),
    };
  });
  const winners = orders.map(winnerOf);
  const [first = null, second = null] = winners;
  const winner = candidates.length > 1 && first !== null && first === second ? candidates[first] : undefined;
  const [only] = orders[0] ?? [];
  const single = candidates.length === 1 && only !== undefined;
  const passed = single && config.pass_score !== undefined ? only.total >= config.pass_score : null;
  return ended(view, {
    content: {
      total: single ? only.total : null,
      scores: single ? only.scores : null,
      reason: single ? only.reason : null,
      passed,
      winner: winner?.name ?? null,
      tie: candidates.length > 1 && winner === undefined,
      candidates: summary,
    },
    kind: 'json',
    receipt: { candidates: candidates.length, judgements: judgements.length },
  });
}
