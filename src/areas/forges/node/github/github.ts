import { ownValue } from '@contract/own';
import { ok, type Result } from '@contract/result';
import { z } from 'zod';
import type {
  Check,
  ForgeComment,
  Issue,
  IssuePage,
  IssueRow,
  MergeMethod,
  PullView,
  Review,
} from '../../contract/forge';
import { CHECK_LOG_CHARS } from '../../contract/limits';
import type { Forge, ForgeRepository, IssueQuery, MadePull, PullPlace, PullWish } from '../../core/port';
import { type GithubParts, GithubRequests } from './request';
import {
  type CheckRunWire,
  type CommentWire,
  checkRunsWire,
  commentWire,
  type IssueWire,
  issueWire,
  type PullWire,
  pullWire,
  repositoryWire,
  reviewWire,
  statusesWire,
} from './wire';

const PAGE = 100;
/** 1,000 comments: more are counted as left out. */
const MOST_PAGES = 10;
const ISSUES_PAGE = 50;
const anything = z.unknown();

/** GitHub and GitHub Enterprise Server. */
export class Github implements Forge {
  readonly #http: GithubRequests;

  constructor(parts: GithubParts) {
    this.#http = new GithubRequests(parts);
  }

  async repository(name: string): Promise<Result<ForgeRepository>> {
    const found = await this.#http.get(repositoryWire, '/repos/{owner}/{repo}', placeOf(name));
    if (!found.ok) return found;
    const { full_name, default_branch, parent } = found.value;
    return ok({
      name: full_name,
      defaultBranch: default_branch,
      parent: parent == null ? null : { name: parent.full_name, defaultBranch: parent.default_branch },
    });
  }

  async issues(repository: string, { search, label, state, page }: IssueQuery): Promise<Result<IssuePage>> {
    const paging = { per_page: ISSUES_PAGE, page };
    if (search.trim() === '') {
      const labels = label === undefined ? {} : { labels: label };
      const listed = await this.#http.get(z.array(issueWire), '/repos/{owner}/{repo}/issues', {
        ...placeOf(repository),
        ...{ state, ...labels, ...paging },
      });
      return listed.ok ? ok(pageOf(listed.value)) : listed;
    }
    // Quotes keep the operator's words from becoming qualifiers.
    const words = search
      .replaceAll('"', ' ')
      .trim()
      .split(/\s+/)
      .map((word) => `"${word}"`);
    const labelled = label === undefined ? [] : [`label:"${label.replaceAll('"', '')}"`];
    const q = [`repo:${repository}`, 'is:issue', `state:${state}`, ...labelled, ...words].join(' ');
    const found = await this.#http.get(z.object({ items: z.array(issueWire) }), '/search/issues', {
      q,
      ...paging,
    });
    return found.ok ? ok(pageOf(found.value.items)) : found;
  }

  async issue({ repository, number }: PullPlace): Promise<Result<Issue>> {
    const place = { ...placeOf(repository), issue_number: number };
    const found = await this.#http.get(issueWire, '/repos/{owner}/{repo}/issues/{issue_number}', place);
    if (!found.ok) return found;
    const comments = await this.#all(
      commentWire,
      '/repos/{owner}/{repo}/issues/{issue_number}/comments',
      place,
    );
    if (!comments.ok) return comments;
    return ok({
      ...rowOf(found.value),
      body: found.value.body ?? '',
      discussion: comments.value.all.map(commentOf),
      moreComments: comments.value.more,
    });
  }

  async findPull(
    { repository, headRepository, branch }: Pick<PullWish, 'repository' | 'headRepository' | 'branch'>,
    mark: string,
  ): Promise<Result<MadePull | null>> {
    const listed = await this.#http.get(z.array(pullWire), '/repos/{owner}/{repo}/pulls', {
      ...placeOf(repository),
      ...{ state: 'all', head: `${placeOf(headRepository).owner}:${branch}`, per_page: PAGE },
    });
    if (!listed.ok) return listed;
    const marked = listed.value.find(({ body, head }) => head.ref === branch && (body ?? '').includes(mark));
    return ok(marked === undefined ? null : madeOf(marked));
  }

  async createPull(wish: PullWish): Promise<Result<MadePull>> {
    const { repository, headRepository, branch, base, title, body, draft } = wish;
    const head = repository === headRepository ? branch : `${placeOf(headRepository).owner}:${branch}`;
    const made = await this.#http.send(pullWire, 'POST /repos/{owner}/{repo}/pulls', {
      ...placeOf(repository),
      ...{ title, body, head, base, draft },
    });
    return made.ok ? ok(madeOf(made.value)) : made;
  }

  async addPeople(
    { repository, number }: PullPlace,
    { reviewers, labels }: { readonly reviewers: readonly string[]; readonly labels: readonly string[] },
  ): Promise<Result<void>> {
    const place = placeOf(repository);
    if (labels.length > 0) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
      const done = await this.#http.send(anything, route, { ...place, issue_number: number, labels });
      if (!done.ok) return done;
    }
    if (reviewers.length > 0) {
      const route = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers';
      const done = await this.#http.send(anything, route, { ...place, pull_number: number, reviewers });
      if (!done.ok) return done;
    }
    return ok(undefined);
  }

  async pull({ repository, number }: PullPlace): Promise<Result<PullView>> {
    const place = placeOf(repository);
    const at = { ...place, pull_number: number };
    const [found, allowed] = await Promise.all([
      this.#http.get(pullWire, '/repos/{owner}/{repo}/pulls/{pull_number}', at),
      this.#http.get(repositoryWire, '/repos/{owner}/{repo}', place),
    ]);
    if (!found.ok) return found;
    if (!allowed.ok) return allowed;
    const [checks, reviews, onLines, comments] = await Promise.all([
      this.#checks(place, found.value.head.sha),
      this.#all(reviewWire, '/repos/{owner}/{repo}/pulls/{pull_number}/reviews', at),
      this.#all(commentWire, '/repos/{owner}/{repo}/pulls/{pull_number}/comments', at),
      this.#all(commentWire, '/repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...place,
        issue_number: number,
      }),
    ]);
    if (!checks.ok) return checks;
    if (!reviews.ok) return reviews;
    if (!onLines.ok) return onLines;
    if (!comments.ok) return comments;
    return ok({
      ...viewOf(found.value),
      checks: checks.value,
      reviews: reviews.value.all.flatMap(reviewOf),
      comments: [...onLines.value.all, ...comments.value.all]
        .map(commentOf)
        .toSorted((one, other) => one.at - other.at),
      moreComments: onLines.value.more || comments.value.more,
      methods: methodsOf(allowed.value),
    });
  }

  async merge(
    { repository, number }: PullPlace,
    { method, commit }: { readonly method: MergeMethod; readonly commit: string },
  ): Promise<Result<void>> {
    const done = await this.#http.send(anything, 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', {
      ...placeOf(repository),
      ...{ pull_number: number, merge_method: method, sha: commit },
    });
    return done.ok ? ok(undefined) : done;
  }

  async #checks(place: Place, ref: string): Promise<Result<Check[]>> {
    const at = { ...place, ref, per_page: PAGE };
    const [runs, statuses] = await Promise.all([
      this.#http.get(checkRunsWire, '/repos/{owner}/{repo}/commits/{ref}/check-runs', at),
      this.#http.get(statusesWire, '/repos/{owner}/{repo}/commits/{ref}/status', at),
    ]);
    if (!runs.ok) return runs;
    if (!statuses.ok) return statuses;
    const ofRuns = await Promise.all(runs.value.check_runs.map((run) => this.#checkOf(place, run)));
    const ofStatuses = statuses.value.statuses.map(
      ({ id, context, state, description, target_url }): Check => ({
        id: `status ${id}`,
        name: context,
        state: state === 'success' ? 'passed' : state === 'pending' ? 'pending' : 'failed',
        url: target_url ?? null,
        log: state === 'success' || state === 'pending' ? null : (description ?? null),
      }),
    );
    return ok([...ofRuns, ...ofStatuses]);
  }

  async #checkOf(place: Place, run: CheckRunWire): Promise<Check> {
    const state = stateOf(run);
    const check = { id: String(run.id), name: run.name, state, url: run.html_url ?? run.details_url ?? null };
    return { ...check, log: state === 'failed' ? await this.#log(place, run) : null };
  }

  /** The log of a job of GitHub Actions; other apps write a text into the check itself. */
  async #log(place: Place, { id, output, app }: CheckRunWire): Promise<string | null> {
    const own = [output?.summary, output?.text].filter(Boolean).join('\n').slice(-CHECK_LOG_CHARS) || null;
    if (app?.slug !== 'github-actions') return own;
    const route = '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const end = await this.#http.tail(route, { ...place, job_id: id }, CHECK_LOG_CHARS);
    return end.ok ? end.value : own;
  }

  async #all<T>(
    schema: z.ZodType<T>,
    route: string,
    place: Record<string, unknown>,
  ): Promise<Result<{ all: T[]; more: boolean }>> {
    const all: T[] = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const got = await this.#http.get(z.array(schema), route, { ...place, per_page: PAGE, page });
      if (!got.ok) return got;
      all.push(...got.value);
      if (got.value.length < PAGE) return ok({ all, more: false });
    }
    return ok({ all, more: true });
  }
}

interface Place extends Record<string, unknown> {
  readonly owner: string;
  readonly repo: string;
}

function placeOf(name: string): Place {
  const [owner = '', repo = ''] = name.split('/');
  return { owner, repo };
}

const authorOf = ({ user }: Pick<CommentWire, 'user'>): string => user?.login ?? 'ghost';

const rowOf = (issue: IssueWire): IssueRow => ({
  number: issue.number,
  title: issue.title,
  author: authorOf(issue),
  labels: issue.labels.flatMap((label) => (typeof label === 'string' ? label : (label.name ?? []))),
  state: issue.state,
  comments: issue.comments,
  updatedAt: issue.updated_at,
  url: issue.html_url,
});

const pageOf = (items: readonly IssueWire[]): IssuePage => ({
  rows: items.filter(({ pull_request }) => pull_request === undefined).map(rowOf),
  more: items.length === ISSUES_PAGE,
});

const commentOf = (comment: CommentWire): ForgeComment => ({
  id: String(comment.id),
  author: authorOf(comment),
  body: comment.body ?? '',
  path: comment.path ?? null,
  line: comment.line ?? null,
  url: comment.html_url,
  at: comment.created_at,
});

const pullState = ({ state, merged_at }: PullWire): PullView['state'] =>
  merged_at == null ? state : 'merged';

const madeOf = (pull: PullWire): MadePull => ({
  number: pull.number,
  url: pull.html_url,
  state: pullState(pull),
});

function viewOf(
  pull: PullWire,
): Omit<PullView, 'checks' | 'reviews' | 'comments' | 'moreComments' | 'methods'> {
  const conflict =
    pull.mergeable == null ? 'unknown' : pull.mergeable_state === 'dirty' ? 'conflict' : 'none';
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    state: pullState(pull),
    draft: pull.draft ?? false,
    head: { branch: pull.head.ref, commit: pull.head.sha },
    base: pull.base.ref,
    conflict,
    blocked: ownValue(BLOCKED, pull.mergeable_state ?? '') ?? null,
    files: pull.changed_files ?? 0,
  };
}

const BLOCKED: Readonly<Record<string, string>> = {
  blocked: 'A rule of the repository is not met, such as a required review or check.',
  behind: 'The branch must be brought up to date with its base first.',
  draft: 'It is a draft.',
  dirty: 'It conflicts with its base.',
};

function reviewOf(review: z.infer<typeof reviewWire>): Review[] {
  const verdict =
    review.state === 'APPROVED'
      ? 'approved'
      : review.state === 'CHANGES_REQUESTED'
        ? 'changes_requested'
        : 'commented';
  // A dismissed or unsent review says nothing any more.
  if (review.state === 'DISMISSED' || review.state === 'PENDING') return [];
  return [
    {
      id: String(review.id),
      author: authorOf(review),
      verdict,
      body: review.body ?? '',
      at: review.submitted_at ?? 0,
    },
  ];
}

function stateOf({ status, conclusion }: CheckRunWire): Check['state'] {
  if (status !== 'completed') return 'pending';
  if (conclusion === 'success') return 'passed';
  return conclusion === 'skipped' || conclusion === 'neutral' || conclusion === 'stale'
    ? 'skipped'
    : 'failed';
}

const methodsOf = (repository: z.infer<typeof repositoryWire>): MergeMethod[] => [
  ...(repository.allow_squash_merge === false ? [] : (['squash'] as const)),
  ...(repository.allow_merge_commit === false ? [] : (['merge'] as const)),
  ...(repository.allow_rebase_merge === false ? [] : (['rebase'] as const)),
];
