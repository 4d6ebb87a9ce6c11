import type { PullView, Review } from './forge';
import type { PullItem, PullRecord } from './pull';

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

type Found = Pick<PullItem, 'key' | 'kind' | 'what'>;

function found(record: PullRecord): Found[] {
  const { view, error, asked, commit } = record;
  const failed: Found[] =
    error === null || asked === null
      ? []
      : [{ key: `failed ${asked} ${commit} ${error.message}`, kind: 'failed', what: error.message }];
  if (view === null) return failed;
  if (view.state === 'merged') return [];
  if (view.state === 'closed')
    return [{ key: 'closed', kind: 'closed', what: 'It was closed without a merge.' }];
  const head = view.head.commit;
  const checks = view.checks.filter(({ state }) => state === 'failed');
  const names = checks.map(({ name }) => name).join(', ');
  const reviews = standingReviews(view.reviews).map(
    ({ id, author, verdict }): Found =>
      verdict === 'approved'
        ? { key: `review ${id}`, kind: 'approved', what: `${author} approved it.` }
        : { key: `review ${id}`, kind: 'changes_requested', what: `${author} requested changes.` },
  );
  return [
    ...failed,
    ...(view.conflict === 'conflict'
      ? [{ key: `conflict ${head}`, kind: 'conflict' as const, what: `It conflicts with ${view.base}.` }]
      : []),
    ...(checks.length === 0
      ? []
      : [{ key: `checks ${head} ${names}`, kind: 'check_failed' as const, what: `Failed: ${names}` }]),
    ...reviews,
  ];
}

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
      at: record.readAt ?? record.at,
    }));
}

/** One line for lists: how the pull request stands. */
export function standing({ state, view, asked, error }: PullRecord): string {
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
