import { countsOf, type FileChange, type TakenDiff } from '@areas/changes/contract/changes';
import { assemblePrompt } from '@main/core/step/agent/prompt';
import { mergeResponses, repromptText } from '@main/core/step/agent/reprompts';
import { decisionInstruction, decisionReminder, findingsText } from '@main/core/step/decision-tail';
import type { ActivationView, EndedCapture } from '@main/core/step/module';
import type { CodingAgent, CodingConfig } from './config';
import { type Course, type Decided, type NextTurn, type Phase, placeOf } from './walk';

type View = ActivationView<CodingConfig>;

/** Maximum characters of diffs in a prompt; agents can see all of them in the workspace. */
const DIFF_IN_PROMPT = 64_000;

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

/** Every changed file is listed; a diff that does not fit is left out by name, never cut. */
function changed(capture: EndedCapture | undefined): string {
  if (capture === undefined) return '';
  const { error, diff, files, notes } = capture;
  if (error !== null) return `\n\n## Changed files\nUnknown: ${error.message}`;
  if (diff === null) return '';
  if (files.length === 0) return '\n\n## Changed files\nNone.';
  const list = files.map((file) => `- ${file.path} (${file.status}, ${countsOf(file)})`).join('\n');
  const { text, left } = fitting(diff, files);
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const more =
    left.length === 0
      ? ''
      : `\n\nThe diffs of these files are left out here because of their size. Read them in your working folder${
          diff.path === null ? '' : ` or in ${diff.path}`
        } (git diff ${diff.from}):\n${left.map((path) => `- ${path}`).join('\n')}`;
  const shown = text === '' ? '' : `\n\n## Diff\n${fence}diff\n${text.trimEnd()}\n${fence}`;
  const beside = notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
  return `\n\n## Changed files\n${list}${beside}${shown}${more}`;
}

/** The diffs of single files that fit into a prompt together, in their order, and the names of the others. */
function fitting({ text, omitted }: TakenDiff, files: readonly FileChange[]) {
  const missing = new Set(omitted.map(({ path }) => path));
  if (text.length <= DIFF_IN_PROMPT) return { text, left: [...missing] };
  // Only the head of a file begins with these words: each line of a hunk has a sign before it.
  const pieces = text.split(/^(?=diff --git )/m);
  const named = files.filter(({ path }) => !missing.has(path)).flatMap((file) => nameOfPieces(file));
  const kept: string[] = [];
  const left = [...missing];
  let size = 0;
  for (const [index, piece] of pieces.entries()) {
    if (size + piece.length <= DIFF_IN_PROMPT) {
      kept.push(piece);
      size += piece.length;
    } else left.push(named[index] ?? '');
  }
  return { text: kept.join(''), left: [...new Set(left)] };
}

/** A file replaced by a link has two pieces in a diff: a deletion and an addition. */
const nameOfPieces = ({ path, status }: FileChange): string[] =>
  status === 'type_changed' ? [path, path] : [path];

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
