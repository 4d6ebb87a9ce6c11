/** What a scripted GitHub holds and how it answers. */
interface Call {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}

interface GithubAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

interface ModelIssue {
  number: number;
  title: string;
  body: string;
  author: string;
  labels: string[];
  state: 'open' | 'closed';
  comments: { author: string; body: string }[];
}

interface ModelPull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  state: 'open' | 'closed';
  merged: boolean;
  mergeable: boolean | null;
  mergeableState: string;
  files: number;
  labels: string[];
  reviewers: string[];
  reviews: { id: number; author: string; state: string; body: string; at: string }[];
  lineComments: { id: number; author: string; body: string; path: string; line: number | null; at: string }[];
  comments: { id: number; author: string; body: string; at: string }[];
}

interface ModelCheck {
  id: number;
  name: string;
  conclusion: 'success' | 'failure' | 'skipped' | null;
  log: string;
}

const TIME = '2026-11-01T10:00:00Z';
const notFound: GithubAnswer = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
};
const user = (login: string) => ({ login, id: 1, type: 'User' });

interface NewPull {
  readonly title: string;
  readonly body?: string;
  readonly head: string;
  readonly base: string;
  readonly draft?: boolean;
}

export class GithubModel {
  name = 'acme/shop';
  /** An earlier name, whose addresses are redirected. */
  formerName: string | null = null;
  parent: string | null = null;
  defaultBranch = 'main';
  methods = { merge: true, squash: true, rebase: true };
  issues: ModelIssue[] = [];
  pulls: ModelPull[] = [];
  /** The commit of a branch, as the test's repository has it. */
  commitOf: (branch: string) => string = () => 'a'.repeat(40);
  /** The checks of a commit. */
  checksOf: (commit: string) => ModelCheck[] = () => [];
  #next = 100;

  answer({ method, url, body }: Call): GithubAnswer {
    if (url.pathname === '/search/issues') return this.#search(url);
    const [, owner = '', repo = '', rest = ''] =
      /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
    const name = `${owner}/${repo}`;
    if (name === this.formerName) {
      const location = `${url.origin}${url.pathname.replace(name, this.name)}${url.search}`;
      return {
        status: method === 'GET' ? 301 : 307,
        body: { message: 'Moved Permanently', url: location },
        headers: { location },
      };
    }
    if (name !== this.name && name !== this.parent) return notFound;
    return this.#inRepository(method, rest, { url, body, name });
  }

  #inRepository(
    method: string,
    rest: string,
    { url, body, name }: { url: URL; body: unknown; name: string },
  ): GithubAnswer {
    const [, issue, ofIssue] = /^\/issues\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? [];
    const [, pull, ofPull] = /^\/pulls\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? [];
    if (rest === '') return { status: 200, body: this.#repository(name) };
    if (rest === '/issues')
      return page(
        url,
        this.issues
          .filter(({ state }) => state === (url.searchParams.get('state') ?? 'open'))
          .map((one) => this.#issue(one)),
      );
    if (issue !== undefined) return this.#ofIssue(method, Number(issue), { what: ofIssue, url, body });
    if (rest === '/pulls' && method === 'POST') return this.#open(body as NewPull);
    if (rest === '/pulls') {
      const head = url.searchParams.get('head');
      const owner = this.name.split('/')[0];
      const found = this.pulls.filter((one) => head === null || `${owner}:${one.head}` === head);
      return page(
        url,
        found.map((one) => this.#pull(one)),
      );
    }
    if (pull !== undefined) return this.#ofPull(method, Number(pull), { what: ofPull, url, body });
    return this.#ofCommit(rest);
  }

  #ofCommit(rest: string): GithubAnswer {
    const [, commit = '', what] = /^\/commits\/(\w+)\/(check-runs|status)$/.exec(rest) ?? [];
    if (what === 'status')
      return { status: 200, body: { state: 'success', statuses: [], sha: commit, total_count: 0 } };
    if (what === 'check-runs') {
      const runs = this.checksOf(commit).map(({ id, name, conclusion }) => ({
        ...{
          id,
          name,
          conclusion,
          head_sha: commit,
          html_url: `https://forge.test/${this.name}/runs/${id}`,
          details_url: null,
        },
        ...{
          status: conclusion === null ? 'in_progress' : 'completed',
          output: { title: null, summary: null, text: null },
        },
        app: { slug: 'github-actions' },
      }));
      return { status: 200, body: { total_count: runs.length, check_runs: runs } };
    }
    const [, job] = /^\/actions\/jobs\/(\d+)\/logs$/.exec(rest) ?? [];
    if (job === undefined) return notFound;
    const known = this.pulls.flatMap(({ head }) => this.checksOf(this.commitOf(head)));
    return { status: 200, body: known.find(({ id }) => id === Number(job))?.log ?? '' };
  }

  #ofIssue(
    method: string,
    number: number,
    { what, url, body }: { what: string | undefined; url: URL; body: unknown },
  ): GithubAnswer {
    const issue = this.issues.find((one) => one.number === number);
    const pull = this.pulls.find((one) => one.number === number);
    if (what === 'labels' && method === 'POST' && pull !== undefined) {
      pull.labels = [...new Set([...pull.labels, ...(body as { labels: string[] }).labels])];
      return { status: 200, body: pull.labels.map((name) => ({ name })) };
    }
    if (what === 'comments' && pull !== undefined)
      return page(
        url,
        pull.comments.map(({ id, author, body: text, at }) => ({
          id,
          body: text,
          user: user(author),
          html_url: this.#url(number),
          created_at: at,
        })),
      );
    if (issue === undefined) return notFound;
    if (what === 'comments')
      return page(
        url,
        issue.comments.map(({ author, body: text }, at) => ({
          id: at + 1,
          body: text,
          user: user(author),
          html_url: this.#url(number),
          created_at: TIME,
        })),
      );
    return what === undefined ? { status: 200, body: this.#issue(issue) } : notFound;
  }

  #ofPull(
    method: string,
    number: number,
    { what, url, body }: { what: string | undefined; url: URL; body: unknown },
  ): GithubAnswer {
    const pull = this.pulls.find((one) => one.number === number);
    if (pull === undefined) return notFound;
    switch (what) {
      case undefined:
        return { status: 200, body: this.#pull(pull) };
      case 'requested_reviewers':
        pull.reviewers = [...new Set([...pull.reviewers, ...(body as { reviewers: string[] }).reviewers])];
        return { status: 201, body: this.#pull(pull) };
      case 'reviews':
        return page(
          url,
          pull.reviews.map(({ id, author, state, body: text, at }) => ({
            id,
            user: user(author),
            body: text,
            state,
            submitted_at: at,
          })),
        );
      case 'comments':
        return page(
          url,
          pull.lineComments.map(({ id, author, body: text, path, line, at }) => ({
            id,
            user: user(author),
            body: text,
            path,
            line,
            html_url: this.#url(number),
            created_at: at,
          })),
        );
      case 'merge':
        return method === 'PUT' ? this.#merge(pull, body as { sha: string; merge_method: string }) : notFound;
      default:
        return notFound;
    }
  }

  #merge(pull: ModelPull, { sha, merge_method }: { sha: string; merge_method: string }): GithubAnswer {
    if (pull.merged) return { status: 405, body: { message: 'Pull Request is not mergeable' } };
    if (sha !== this.commitOf(pull.head))
      return { status: 409, body: { message: 'Head branch was modified. Review and try the merge again.' } };
    if (pull.mergeable === false || pull.mergeableState === 'blocked')
      return { status: 405, body: { message: 'Pull Request is not mergeable' } };
    if (merge_method === 'rebase' && !this.methods.rebase)
      return { status: 405, body: { message: 'Rebase merges are not allowed on this repository.' } };
    Object.assign(pull, { merged: true, state: 'closed' });
    return {
      status: 200,
      body: { sha: 'b'.repeat(40), merged: true, message: 'Pull Request successfully merged' },
    };
  }

  #open({ title, body = '', head, base, draft = false }: NewPull): GithubAnswer {
    const branch = head.includes(':') ? head.slice(head.indexOf(':') + 1) : head;
    if (this.pulls.some((one) => one.head === branch && one.state === 'open'))
      return {
        status: 422,
        body: {
          message: 'Validation Failed',
          errors: [
            {
              resource: 'PullRequest',
              code: 'custom',
              message: `A pull request already exists for ${head}.`,
            },
          ],
        },
      };
    this.#next += 1;
    const pull: ModelPull = {
      ...{ number: this.#next, title, body, head: branch, base, draft, state: 'open', merged: false },
      ...{
        mergeable: true,
        mergeableState: 'clean',
        files: 1,
        labels: [],
        reviewers: [],
        reviews: [],
        lineComments: [],
        comments: [],
      },
    };
    this.pulls.push(pull);
    return { status: 201, body: this.#pull(pull) };
  }

  #search(url: URL): GithubAnswer {
    const words = [...(url.searchParams.get('q') ?? '').matchAll(/(?<![\w:])"([^"]*)"/g)].map(
      ([, word = '']) => word.toLowerCase(),
    );
    const found = this.issues.filter(({ title, body }) =>
      words.every((word) => `${title} ${body}`.toLowerCase().includes(word)),
    );
    return {
      status: 200,
      body: {
        total_count: found.length,
        incomplete_results: false,
        items: found.map((one) => this.#issue(one)),
      },
    };
  }

  #url = (number: number): string => `https://forge.test/${this.name}/issues/${number}`;

  #repository(name: string) {
    const { merge, squash, rebase } = this.methods;
    const parent = name === this.parent ? null : this.parent;
    return {
      ...{ full_name: name, default_branch: this.defaultBranch, fork: parent !== null },
      ...(parent === null ? {} : { parent: { full_name: parent, default_branch: this.defaultBranch } }),
      ...{ allow_merge_commit: merge, allow_squash_merge: squash, allow_rebase_merge: rebase },
    };
  }

  #issue = ({ number, title, body, author, labels, state, comments }: ModelIssue) => ({
    ...{ number, title, body, state, user: user(author), comments: comments.length, updated_at: TIME },
    ...{ labels: labels.map((name) => ({ id: 1, name, color: 'ededed' })), html_url: this.#url(number) },
  });

  #pull = (pull: ModelPull) => ({
    ...{ number: pull.number, title: pull.title, body: pull.body, state: pull.state, draft: pull.draft },
    ...{
      html_url: `https://forge.test/${this.name}/pull/${pull.number}`,
      merged_at: pull.merged ? TIME : null,
    },
    head: { ref: pull.head, sha: this.commitOf(pull.head), repo: { full_name: this.name } },
    base: { ref: pull.base, sha: 'c'.repeat(40) },
    ...{
      mergeable: pull.mergeable,
      mergeable_state: pull.mergeableState,
      changed_files: pull.files,
      user: user('operator'),
    },
  });
}

function page(url: URL, items: readonly unknown[]): GithubAnswer {
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const at = Number(url.searchParams.get('page') ?? 1) - 1;
  return { status: 200, body: items.slice(at * size, (at + 1) * size) };
}
