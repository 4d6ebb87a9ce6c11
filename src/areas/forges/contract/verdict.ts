import type { PullView, Review } from './forge';
import type { PullItem, PullRecord } from './pull';
import { oneLine } from './untrusted';

const NAME_CHARS = 60;
const NAMES_CHARS = 300;

/** The last review with a verdict of each reviewer. */
export function standingReviews(reviews: readonly Review[]): Review[] {
  const last = new Map<string, Review>();
  for (const review of reviews.toSorted((one, other) => one.at - other.at))
    if (review.verdict !== 'commented') last.set(review.author, review);
  return [...last.values()];
}

type ChecksState = 'none' | 'pending' | 'failed' | 'passed';

export function checksState({ checks }: Pick<PullView, 'checks'>): ChecksState {
  if (checks.some(({ state }) => state === 'failed')) return 'failed';
  if (checks.some(({ state }) => state === 'pending')) return 'pending';
  return checks.some(({ state }) => state === 'passed') ? 'passed' : 'none';
}

type Found = Pick<PullItem, 'key' | 'kind' | 'what'> & { readonly at?: number };

/** Enough of a text to tell two causes apart: a key is short. */
const KEY_CHARS = 40;
const keyed = (text: string): string => text.slice(0, KEY_CHARS);

function found(record: PullRecord): Found[] {
  const { view, error, asked, commit } = record;
  const failed: Found[] =
    error === null || asked === null
      ? []
      : [{ key: `failed ${asked} ${commit} ${keyed(error.message)}`, kind: 'failed', what: error.message }];
  if (view === null) return failed;
  if (view.state === 'merged') return [];
  if (view.state === 'closed')
    return [{ key: 'closed', kind: 'closed', what: 'It was closed without a merge.' }];
  const checks = view.checks.filter(({ state }) => state === 'failed');
  const names = oneLine(checks.map(({ name }) => name).join(', '), NAMES_CHARS);
  const reviews = standingReviews(view.reviews).map(
    ({ id, author, verdict, at }): Found =>
      verdict === 'approved'
        ? { key: `review ${id}`, kind: 'approved', what: `${oneLine(author, NAME_CHARS)} approved it.`, at }
        : {
            key: `review ${id}`,
            kind: 'changes_requested',
            what: `${oneLine(author, NAME_CHARS)} requested changes.`,
            at,
          },
  );
  return [
    ...failed,
    ...(view.conflict === 'conflict'
      ? [{ key: conflictKey(view), kind: 'conflict' as const, what: `It conflicts with ${view.base}.` }]
      : []),
    ...(checks.length === 0
      ? []
      : [{ key: checksKey(view), kind: 'check_failed' as const, what: `Failed: ${names}` }]),
    ...reviews,
  ];
}

/** The failed checks of a commit: more or other ones are another cause. */
export const checksKey = ({ head, checks }: Pick<PullView, 'head' | 'checks'>): string => {
  const names = checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
  return `checks ${head.commit} ${names.length} ${keyed(names.join(', '))}`;
};

export const conflictKey = ({ head }: Pick<PullView, 'head'>): string => `conflict ${head.commit}`;

/** What of a pull request needs the operator and was not handled yet. */
export function itemsOf(record: PullRecord): PullItem[] {
  const { runId, runName, projectName, number, url, title, handled, fix } = record;
  // A loop that goes on handles failed checks by itself.
  const looping = fix !== null && fix.ended === null;
  return found(record)
    .filter(({ key, kind }) => !handled.includes(key) && !(looping && kind === 'check_failed'))
    .map((item) => ({
      ...item,
      ...{ runId, runName, projectName, number, url, title },
      at: item.at ?? record.readAt ?? record.at,
    }));
}

export type PullStanding =
  | PullRecord['state']
  | 'not sent'
  | 'conflicts'
  | 'checks failed'
  | 'changes requested'
  | 'checks running'
  | 'draft'
  | 'blocked'
  | 'approved'
  | 'ready';

/** One line for lists: how the pull request stands. */
export function standing({ state, view, asked, error }: PullRecord): PullStanding {
  if (error !== null && asked !== null) return 'not sent';
  if (state !== 'open' || view === null) return state;
  if (view.conflict === 'conflict') return 'conflicts';
  const checks = checksState(view);
  if (checks === 'failed') return 'checks failed';
  const reviews = standingReviews(view.reviews);
  if (reviews.some(({ verdict }) => verdict === 'changes_requested')) return 'changes requested';
  if (checks === 'pending') return 'checks running';
  if (view.draft) return 'draft';
  if (view.blocked !== null) return 'blocked';
  return reviews.length > 0 ? 'approved' : 'ready';
}

/** What of a pull request its agent can fix. A comment counts until it was sent to the agent. */
export function toFix({ checks, reviews, comments, conflict }: PullView, handled: readonly string[]) {
  const isNew = (key: string): boolean => !handled.includes(key);
  return {
    failed: checks.filter(({ state }) => state === 'failed'),
    reviews: standingReviews(reviews).filter(
      ({ id, verdict }) => verdict === 'changes_requested' && isNew(`review ${id}`),
    ),
    comments: comments.filter(({ id }) => isNew(keyOfComment(id))),
    conflicts: conflict === 'conflict',
  };
}

export const keyOfComment = (id: string): string => `comment ${id}`;

/** Whether a prompt to the agent would say anything. */
export function canFix({ state, view, handled, fix }: PullRecord): boolean {
  if (state !== 'open' || view === null || (fix !== null && fix.ended === null)) return false;
  const { failed, reviews, comments, conflicts } = toFix(view, handled);
  return conflicts || failed.length + reviews.length + comments.length > 0;
}
