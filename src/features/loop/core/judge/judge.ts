import type { Update } from '@areas/feed/contract/update';
import type { RunEventOf } from '@contract/run/events';
import { checkFailure, checkPassed, flippedStories } from '../../contract/check';
import type { AttemptEnd, LoopAfter, LoopBefore, Plan, Story } from '../../contract/events';
import { lostStories, openStories } from '../../contract/state';
import { claimOf, judgedText, promises, summaryOf } from './message';
import { storyInProgress, storyInSubjects } from './named-stories';
import { saysStuck, saysUnfinished } from './plain-words';

export type UpdateResult = Update['result'];
export type AttemptVerdict = Omit<RunEventOf<'loop.attempt-judged'>, 'type' | 'activationId' | 'attemptId'>;

/** All facts about one attempt: the state before and after it, how its worker ended, what it was given. */
export interface Evidence {
  readonly before: LoopBefore | null;
  readonly after: LoopAfter | null;
  readonly end: AttemptEnd;
  readonly handed: Pick<Story, 'id' | 'title'> | null;
  readonly retry: number;
  readonly skipped: readonly string[];
  /** The loop's branch, on which the worker should stay; null if it has none. */
  readonly branch?: string | null;
  /** Why nothing could be examined. */
  readonly trouble: string | null;
  /** The project's check that a completed story must pass; absent if the loop has none. */
  readonly verify?: string | undefined;
  /** Stories that pass in the plan but were not confirmed by the check before this attempt. */
  readonly unverified?: readonly string[];
}

interface Ruling {
  readonly rule: number;
  readonly result: UpdateResult;
  readonly halt?: string;
}

/** Differences between two states of the plan. */
interface Change {
  readonly flipped: readonly Story[];
  readonly unflipped: readonly Story[];
  /** Removed stories. */
  readonly lost: readonly Story[];
  /** Passed before, and confirmed by the project's check only now. */
  readonly confirmed: readonly Story[];
}

/**
 * The verdict on an attempt. Evidence precedes words, and the first matching rule decides: a worker's claim
 * without evidence is a `no-op`, and the word "failed" in a test report is not a failure.
 */
export function judge(evidence: Evidence): AttemptVerdict {
  const { after, end, retry } = evidence;
  const message = after?.message ?? '';
  const change = changeOf(evidence);
  const claim = claimOf(message);
  const ruling = rule(evidence, { change, claim, text: judgedText(message) });
  const story = storyOf(evidence, change);
  const terminal = ruling.result === 'failed' && retry > 0 && end.how !== 'cancelled';
  return {
    result: ruling.result,
    storyId: story.id,
    storyTitle: story.title,
    storySource: story.source,
    commit: after?.commits.at(-1)?.hash ?? null,
    summary: summary(evidence, { ruling, change, terminal }),
    warnings: warningsOf(evidence, { ruling, change, claim }),
    claim,
    rule: ruling.rule,
    halt: ruling.halt ?? null,
    promised: promises(message),
    terminal,
  };
}

interface Read {
  readonly change: Change;
  readonly claim: UpdateResult | null;
  readonly text: string;
}

function rule(evidence: Evidence, { change, claim, text }: Read): Ruling {
  const { before, after, skipped } = evidence;
  if (after === null || before === null) return { rule: 4, result: 'failed' };
  if (after.rewritten) {
    return {
      rule: 1,
      result: 'failed',
      halt: 'the branch was rewritten: the commit from before is gone from it',
    };
  }
  if (before.plan.state === 'read' && after.plan.state !== 'read') {
    const why = after.plan.state === 'none' ? 'it is gone' : after.plan.problems.join('; ');
    return { rule: 1, result: 'failed', halt: `prd.json can no longer be read: ${why}` };
  }
  const lost = change.lost.filter(({ id, passes }) => !passes && !skipped.includes(id));
  if (lost.length > 0)
    return { rule: 1, result: 'failed', halt: `prd.json has lost ${lost.map(({ id }) => id).join(', ')}` };
  const unconfirmed = checkProblem(evidence) !== null;
  if (change.flipped.length > 0 && unconfirmed) return { rule: 12, result: 'failed' };
  if (change.flipped.length > 0 || change.confirmed.length > 0) return { rule: 2, result: 'completed' };
  if (claim === 'blocked' || after.codex?.asked === true) return { rule: 3, result: 'blocked' };
  if (crashOf(evidence) !== null) return { rule: 4, result: 'failed' };
  if (claim === 'failed') return { rule: 5, result: 'failed' };
  if (after.commits.length > 0 && unconfirmed) return { rule: 12, result: 'failed' };
  if (after.commits.length > 0) return { rule: 6, result: 'completed' };
  if (change.unflipped.length > 0) return { rule: 7, result: 'failed' };
  // Free text counts only if the worker did not state its result explicitly.
  if (claim === null && saysStuck(text)) return { rule: 8, result: 'blocked' };
  if (claim === null && saysUnfinished(text)) return { rule: 9, result: 'failed' };
  // If its work cannot be determined, only its word is left.
  if (claim !== null && before.late === true && (before.untold?.length ?? 0) > 0)
    return { rule: 13, result: claim };
  if (text === '' && !cleanEnd(evidence)) return { rule: 10, result: 'failed' };
  return { rule: 11, result: 'no-op' };
}

/** Why the worker did not finish; null if it did. An exit code describes the protocol, not the task. */
function crashOf({ end, after, trouble }: Evidence): string | null {
  if (end.how === 'cancelled') return end.error ?? 'stopped by the operator';
  if (end.how === 'interrupted' || end.how === 'failed') return end.error ?? `the worker was ${end.how}`;
  const codex = after?.codex ?? null;
  if (codex?.terminal === 'failed') return codex.error ?? 'the turn failed';
  if (codex?.terminal === 'none') return 'the worker ended without saying that its turn was done';
  return after === null ? (trouble ?? 'nothing is known of it') : null;
}

/** An agent that answered has ended its turn; for another's process only its events can show that. */
const cleanEnd = ({ end, after }: Evidence): boolean =>
  after?.codex == null ? end.how === 'answered' : after.codex.terminal === 'completed';

/** Why the project's check does not confirm the worker's result; null if it does, or there is none. */
function checkProblem({ verify, end: { check } }: Evidence): string | null {
  if (verify === undefined) return null;
  if (check === undefined) return 'it did not run';
  return checkPassed(check) ? null : checkFailure(check);
}

function changeOf({ verify, end, unverified = [], ...looked }: Evidence): Change {
  const [before, after] = [looked.before?.plan, looked.after?.plan];
  const ok = verify !== undefined && end.check !== undefined && checkPassed(end.check);
  const stories = after?.state === 'read' ? after.stories : [];
  return {
    flipped: flippedStories(before, after),
    unflipped: flippedStories(after, before),
    lost: lostStories(before, after),
    confirmed: ok ? stories.filter(({ id, passes }) => passes && unverified.includes(id)) : [],
  };
}

interface Named {
  readonly id: string | null;
  readonly title: string | null;
  readonly source: Update['storySource'];
}

/**
 * Only from this attempt's own evidence, in this order: the plan's change, its commits, its message, its
 * additions to progress.txt, the story it was given. Never from the newest commit or the end of progress.txt
 * as such: after a failed attempt both name the previous story.
 */
function storyOf({ before, after, handed }: Evidence, change: Change): Named {
  const stories = known(after?.plan, before?.plan);
  const named = (story: Story | undefined, source: Named['source']): Named | null =>
    story === undefined ? null : { id: story.id, title: story.title || null, source };
  const [flipped] = [...change.flipped, ...change.confirmed, ...change.unflipped];
  const noPlan = before?.plan.state === 'none' && after?.plan.state === 'none';
  const without = (find: () => Pick<Named, 'id' | 'title'> | null, source: Named['source']): Named | null => {
    const found = noPlan ? find() : null;
    return found === null ? null : { ...found, source };
  };
  const handedOf: Named | null =
    handed === null ? null : { id: handed.id, title: handed.title || null, source: 'handed' };
  const subjects = (after?.commits ?? []).map(({ subject }) => subject).reverse();
  return (
    named([...change.flipped, ...change.confirmed].find(({ id }) => id === handed?.id) ?? flipped, 'prd') ??
    named(firstNamed(stories, subjects, handed), 'commit') ??
    without(() => storyInSubjects(subjects), 'commit') ??
    named(firstNamed(stories, [judgedText(after?.message ?? '')], handed), 'message') ??
    named(firstNamed(stories, [after?.progress ?? ''], handed), 'progress') ??
    without(() => storyInProgress(after?.progress ?? ''), 'progress') ??
    handedOf ?? { id: null, title: null, source: 'none' }
  );
}

const known = (...plans: readonly (Plan | undefined)[]): readonly Story[] =>
  plans.flatMap((plan) => (plan?.state === 'read' ? [plan.stories] : []))[0] ?? [];

/**
 * The story id in the first text that contains any; if a text contains several, the story given to the
 * worker.
 */
function firstNamed(
  stories: readonly Story[],
  texts: readonly string[],
  handed: Evidence['handed'],
): Story | undefined {
  for (const text of texts) {
    const found = stories
      .map((story) => ({ story, at: placeOf(text, story.id) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at);
    const assigned = found.find(({ story }) => story.id === handed?.id) ?? found[0];
    if (assigned !== undefined) return assigned.story;
  }
  return undefined;
}

/** The position of an id as a whole word: US-1 does not match in US-10. */
function placeOf(text: string, id: string): number {
  const word = /[\p{L}\p{N}_-]/u;
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + id.length] ?? ' '];
    if (!around.some((character) => word.test(character))) return at;
  }
  return -1;
}

const TERMINAL = 'Second failure, loop stopped.';

interface Ruled {
  readonly ruling: Ruling;
  readonly change: Change;
  readonly terminal: boolean;
}

function summary(evidence: Evidence, { ruling, change, terminal }: Ruled): string[] {
  const { after, end } = evidence;
  const question = ruling.result === 'blocked' ? after?.codex?.question : undefined;
  const summaryLines = summaryOf(after?.message ?? '');
  const message =
    question === undefined ? summaryLines : [...summaryOf(`Asks: ${question}`), ...summaryLines].slice(0, 3);
  const crash = crashOf(evidence);
  const lines =
    message.length > 0 ? message : [`(no final message${crash === null ? '' : `; ${oneLine(crash)}`})`];
  const before: string[] = [];
  if (terminal) before.push(TERMINAL);
  if (ruling.result === 'failed' && end.how === 'interrupted') before.push('The attempt was interrupted.');
  if (ruling.result === 'failed' && end.how === 'cancelled') before.push('The attempt was stopped.');
  if (ruling.rule === 12) before.push(unconfirmedWords(evidence, change));
  if (ruling.halt !== undefined) before.push(`${sentence(ruling.halt)}.`);
  const left = leftFor(evidence);
  const still = after?.putBack === false ? ', which is checked out still' : '';
  if (left !== null) before.push(`Its worker left the branch ${evidence.branch ?? ''} for ${left}${still}.`);
  const elsewhere = after?.elsewhere?.[0];
  if (elsewhere !== undefined)
    before.push(`It committed ${elsewhere.hash} on ${elsewhere.branch}, where the loop does not have it.`);
  before.push(...sharedWords(evidence, { ruling, change }));
  if (before.length === 0) return lines;
  const [first = '', ...rest] = lines;
  return [oneLine(`${before.join(' ')} ${first}`), ...rest];
}

function unconfirmedWords(evidence: Evidence, { flipped }: Change): string {
  const { verify = 'the check' } = evidence;
  const command = oneLine(verify).slice(0, 80);
  const ids = flipped.map(({ id }) => id).join(', ');
  const so = ids === '' ? '' : `, so ${ids} ${flipped.length > 1 ? 'are' : 'is'} not done`;
  return `The check "${command}" does not confirm it (${checkProblem(evidence) ?? ''})${so}.`;
}

/** The branch to which the worker went from the loop's branch; null if it stayed, or no one looked. */
function leftFor({ branch = null, after }: Evidence): string | null {
  const now = after?.branch;
  return branch === null || now === undefined || now === branch ? null : (now ?? 'a commit without a branch');
}

/** For watched attempts in quick succession: says what cannot be separated, instead of guessing. */
function sharedWords(
  { before, after }: Evidence,
  { ruling, change }: Pick<Ruled, 'ruling' | 'change'>,
): string[] {
  const lost = after?.untold ?? [];
  const own = [
    ...(lost.includes('commits') ? ['commits'] : []),
    // A story that it passed is certain; anything else may have changed there.
    ...(lost.includes('plan') && ruling.rule !== 2 ? ['change of prd.json'] : []),
  ];
  const late = before?.late === true;
  const inherited = late ? [] : (before?.untold ?? []);
  const unknown = (late ? (before?.untold ?? []) : []).flatMap((one) =>
    one === 'commits' ? ['commits'] : one === 'plan' ? ['change of prd.json'] : [],
  );
  const shares =
    (inherited.includes('commits') && (after?.commits.length ?? 0) > 0) ||
    (inherited.includes('plan') && change.flipped.length > 0);
  return [
    ...(late ? ['It had begun before Muster watched.'] : []),
    ...(unknown.length > 0 ? [`Its earlier ${unknown.join(' and its earlier ')} cannot be told.`] : []),
    ...(own.length > 0 ? [`Its ${own.join(' and its ')} cannot be told from the next attempt's.`] : []),
    ...(shares ? ['Part of it may be the work of the attempt before.'] : []),
  ];
}

/** File names stay unchanged. */
const sentence = (text: string): string =>
  /^\w+\.\w/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
const oneLine = (text: string): string =>
  summaryOf(text.replace(/\s+/g, ' '))[0] ?? text.replace(/\s+/g, ' ');

function warningsOf(
  evidence: Evidence,
  { ruling, change, claim }: { ruling: Ruling; change: Change; claim: UpdateResult | null },
): string[] {
  const { before, after, handed, skipped } = evidence;
  if (before === null || after === null) return [];
  const open = openStories(after.plan, []);
  const crash = crashOf(evidence);
  const next = openStories(before.plan, skipped)[0]?.id ?? null;
  const flips = change.flipped.map(({ id }) => id);
  const target = handed?.id ?? next;
  const left = leftFor(evidence);
  const problem = checkProblem(evidence);
  const story = storyOf(evidence, change);
  const inPlan = story.source === 'commit' && story.id !== null && before.plan.state === 'read';
  const named = flips.length > 0 ? flips : inPlan ? [story.id] : null;
  const rows: (readonly [boolean, string])[] = [
    [ruling.rule === 2 && crash !== null, `nonzero-exit: ${crash ?? ''}`],
    [
      ruling.rule === 2 && flips.length > 0 && after.commits.length === 0,
      `passes-without-commit: ${flips.join(', ')}`,
    ],
    [ruling.rule !== 12 && problem !== null, `check-failed: ${problem ?? ''}`],
    [flips.length > 1, `multiple-stories: ${flips.join(', ')}`],
    [target !== null && named !== null && !named.includes(target), `out-of-order: ${target ?? ''} was next`],
    [
      ruling.rule === 6 && after.plan.state === 'read' && open.length > 0,
      `story-still-open: ${target ?? open[0]?.id ?? ''}`,
    ],
    [change.unflipped.length > 0, `story-reopened: ${change.unflipped.map(({ id }) => id).join(', ')}`],
    [change.lost.length > 0, `stories-lost: ${change.lost.map(({ id }) => id).join(', ')}`],
    [promises(after.message) && open.length > 0, `promise-with-open-stories: ${open.length} are open`],
    [left !== null, `left-branch: ${left ?? ''}`],
    [(after.elsewhere?.length ?? 0) > 0, `committed-elsewhere: ${elsewhereOf(after)}`],
    [
      (after.conflicts?.length ?? 0) > 0,
      `not-brought-back: ${(after.conflicts ?? []).map((name) => `${name} changed in the project too; the loop's is ${name}.from-loop`).join('; ')}`,
    ],
    [sharedWords(evidence, { ruling, change }).length > 0, 'shared-evidence'],
    [claim !== null && claim !== ruling.result, `claim-not-borne-out: the worker says ${claim ?? ''}`],
  ];
  return rows.flatMap(([holds, text]) => (holds ? [text] : []));
}

const elsewhereOf = ({ elsewhere = [] }: LoopAfter): string =>
  elsewhere.map(({ hash, branch }) => `${hash} on ${branch}`).join(', ');

export const stillOpen = ({ warnings }: Pick<AttemptVerdict, 'warnings'>): boolean =>
  warnings.some((warning) => warning.startsWith('story-still-open'));
