import { z } from 'zod';

/** The parts of GitHub's answers that Muster reads (REST API 2022-11-28). */
const user = z.object({ login: z.string() }).nullish();
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const repositoryWire = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  parent: z.object({ full_name: z.string(), default_branch: z.string() }).nullish(),
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
  allow_rebase_merge: z.boolean().nullish(),
});

export const issueWire = z.object({
  number: z.number().int(),
  title: z.string(),
  body: z.string().nullish(),
  user,
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  state: z.enum(['open', 'closed']),
  comments: z.number().int(),
  updated_at: time,
  html_url: z.string(),
  /** Set if it is a pull request: GitHub lists those as issues too. */
  pull_request: z.unknown().optional(),
});
export type IssueWire = z.infer<typeof issueWire>;

export const commentWire = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  html_url: z.string(),
  created_at: time,
  path: z.string().nullish(),
  line: z.number().int().nullish(),
});
export type CommentWire = z.infer<typeof commentWire>;

export const pullWire = z.object({
  number: z.number().int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  draft: z.boolean().nullish(),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
  changed_files: z.number().int().nullish(),
});
export type PullWire = z.infer<typeof pullWire>;

export const reviewWire = z.object({
  id: z.number(),
  user,
  body: z.string().nullish(),
  state: z.string(),
  submitted_at: time.nullish(),
});

export const checkRunsWire = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      html_url: z.string().nullish(),
      details_url: z.string().nullish(),
      output: z.object({ summary: z.string().nullish(), text: z.string().nullish() }).nullish(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
    }),
  ),
});
export type CheckRunWire = z.infer<typeof checkRunsWire>['check_runs'][number];

export const statusesWire = z.object({
  statuses: z.array(
    z.object({
      id: z.number(),
      context: z.string(),
      state: z.enum(['error', 'failure', 'pending', 'success']),
      description: z.string().nullish(),
      target_url: z.string().nullish(),
    }),
  ),
});
