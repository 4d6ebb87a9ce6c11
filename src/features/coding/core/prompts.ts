import { assemblePrompt } from '@main/core/step/agent/prompt';
import { mergeResponses, repromptText } from '@main/core/step/agent/reprompts';
import { decisionInstruction, decisionReminder, findingsText } from '@main/core/step/decision-tail';
import type { ActivationView, EndedCapture } from '@main/core/step/module';
import type { CodingAgent, CodingConfig } from './config';
import { type Course, type Decided, type NextTurn, type Phase, placeOf } from './walk';

type View = ActivationView<CodingConfig>;

/** Maximum characters of a diff in a prompt; agents can see all of it in the workspace. */
const DIFF_IN_PROMPT = 24_000;

export const nameOf = (view: View, agent: CodingAgent | undefined): string =>
  view.agentName(agent?.acp_profile_id ?? null);

/** The text of the next turn. A re-prompt is the only content of its turn (seed 000 section 3.2). */
export function promptOf(view: View, course: Course, wanted: NextTurn): string {
  const { config } = view;
  const agent = config.agents[wanted.agent];
  if (agent === undefined) return '';
  if (wanted.index === 'reminder') return decisionReminder;
  const reviews = config.coordination === 'review_chain' && wanted.agent === 1;
  const text =
    wanted.index === 0
      ? beginning(view, course, wanted)
      : repromptText(agent.re_prompts[wanted.index - 1] ?? '');
  return reviews && wanted.index === agent.re_prompts.length ? `${text}\n\n${decisionInstruction}` : text;
}

function beginning(view: View, course: Course, { agent: index, round }: NextTurn): string {
  const { config } = view;
  const agent = config.agents[index];
  const before = course.phases.at(-1);
  if (round > 1) {
    return index === 0
      ? feedback(view, course.reviews.at(-1))
      : `Your findings were worked on. Review the work again.\n\n${workOf(view, before)}`;
  }
  const basePrompt = assemblePrompt(view, agent?.instruction_override ?? config.instruction);
  if (index === 0 || before === undefined || config.coordination === 'parallel') return basePrompt;
  const handoff = config.handoff_instruction?.trim() ?? '';
  return [basePrompt, ...(handoff === '' ? [] : [`## Handoff\n${handoff}`]), workOf(view, before)].join(
    '\n\n',
  );
}

function feedback(view: View, review: Decided | undefined): string {
  const reviewer = view.config.agents[1];
  const from = review?.by === 'operator' ? 'The operator' : `The ${reviewer?.role ?? 'reviewer'}`;
  const found = review === undefined || review.findings.length === 0 ? '' : findingsText(review.findings);
  const text = review?.by === 'operator' || found === '' ? (review?.text ?? '') : '';
  const body = [text, found].filter((part) => part !== '').join('\n\n');
  return `${from} asks for changes to your work:\n\n${body}`;
}

/** What the previous agent said and changed. Its files are in the workspace. */
function workOf(view: View, phase: Phase | undefined): string {
  if (phase === undefined) return '';
  const agent = view.config.agents[phase.agent];
  const merged = mergeResponses(phase.turns.map((turn) => turn.response));
  const capture = view.captures.find((one) => one.name === captureName(phase));
  return `## Work of ${agent?.role ?? ''}: ${nameOf(view, agent)}\n${merged}${changed(capture)}`;
}

function changed(capture: EndedCapture | undefined): string {
  if (capture === undefined || capture.error !== null || capture.diff === null) return '';
  if (capture.files.length === 0) return '\n\n## Changed files\nNone.';
  const list = capture.files.map(({ path, status }) => `- ${path} (${status})`).join('\n');
  const { text, truncated } = capture.diff;
  const fitsInPrompt = !truncated && text.length <= DIFF_IN_PROMPT;
  const more = fitsInPrompt ? '' : '\n\nOnly its beginning; the files are in your working folder.';
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `\n\n## Changed files\n${list}\n\n## Diff\n${fence}diff\n${text.slice(0, DIFF_IN_PROMPT).trimEnd()}\n${fence}${more}`;
}

/** A fence must be longer than any in its content. */
function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((found) => found[0].length));
}

export const captureName = ({ agent, round }: Pick<Phase, 'agent' | 'round'>): string =>
  `agent-${agent + 1} round ${round}`;

/** A turn's title on screen: `builder: Re-prompt 2/3`. */
export function labelOf(view: View, { agent: index, ordinal }: { agent: number; ordinal: number }): string {
  const agent = view.config.agents[index];
  const place = placeOf(view, { agent: index, ordinal });
  const round = place.round > 1 ? `round ${place.round}, ` : '';
  const what =
    place.index === 'reminder'
      ? 'reminder'
      : place.index > 0
        ? `re-prompt ${place.index}/${agent?.re_prompts.length ?? 0}`
        : place.round > 1 && index === 0
          ? 'feedback'
          : 'prompt';
  return `${agent?.role ?? 'agent'}: ${round}${what}`;
}
