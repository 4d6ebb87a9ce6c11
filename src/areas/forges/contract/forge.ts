import { whole } from '@contract/bounds';
import { appErrorSchema } from '@contract/errors';
import { lazyObject, lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';

const forgeKindSchema = z.enum(['github']);
export type ForgeKind = z.infer<typeof forgeKindSchema>;

/** An address without a password; unencrypted only on this machine. */
const apiAddress = z.lazy(() =>
  z.union([
    z.url({ protocol: /^https$/, error: 'an address with https://, or with http:// on this machine' }),
    z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/ }),
  ]),
);

/** A host of a forge that Muster does not know by its name. */
export const forgeHostSchema = lazyStrictObject(() => ({
  /** As in the address of a git remote, with the port if it has one. */
  host: z.string().regex(/^[A-Za-z0-9.-]+(:\d+)?$/, 'a host such as git.example.com'),
  kind: forgeKindSchema,
  /** Address of the API; null: the usual one of this kind of forge. */
  api: apiAddress.nullable().default(null),
  /** The secret with the token; null: the login of `gh` on this host. */
  secret: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .nullable()
    .default(null),
}));
export type ForgeHost = z.infer<typeof forgeHostSchema>;

/** The forge of a project, found from its git remote. */
export const projectForgeSchema = lazyObject(() => ({
  kind: forgeKindSchema,
  host: z.string(),
  /** `owner/name`. */
  repository: z.string(),
  remote: z.string(),
  /** Where the token comes from; null: there is none. */
  login: z.enum(['secret', 'gh']).nullable(),
  /** Why it cannot be used now, with what helps; null: it can. */
  problem: appErrorSchema.nullable(),
}));
export type ProjectForge = z.infer<typeof projectForgeSchema>;

const issueRowSchema = lazyObject(() => ({
  number: whole(),
  title: z.string(),
  author: z.string(),
  labels: z.array(z.string()),
  state: z.enum(['open', 'closed']),
  comments: whole(),
  updatedAt: z.number(),
  url: z.string(),
}));
export type IssueRow = z.infer<typeof issueRowSchema>;

export const issuePageSchema = lazyObject(() => ({ rows: z.array(issueRowSchema), more: z.boolean() }));
export type IssuePage = z.infer<typeof issuePageSchema>;

const commentSchema = lazyObject(() => ({
  id: z.string(),
  author: z.string(),
  body: z.string(),
  /** The file and line that it is about; null: the whole. */
  path: z.string().nullable(),
  line: whole().nullable(),
  url: z.string(),
  at: z.number(),
}));
export type ForgeComment = z.infer<typeof commentSchema>;

/** An issue with its text, which its authors wrote: never trusted, never drawn as HTML. */
export const issueSchema = z.lazy(() =>
  issueRowSchema.unwrap().extend({
    body: z.string(),
    discussion: z.array(commentSchema),
    /** More comments than are listed. */
    moreComments: z.boolean(),
  }),
);
export type Issue = z.infer<typeof issueSchema>;

/** A branch as git and every forge take it. */
const branchPattern =
  /^(?!-)(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\]\\./\p{C}][^\s~^:?*[\]\\\p{C}]*(?<![./])$/u;
export const branchNameSchema = z
  .string()
  .max(200)
  .regex(branchPattern, 'the name of a branch, such as fix/till');

const checkSchema = lazyObject(() => ({
  id: z.string(),
  name: z.string(),
  state: z.enum(['pending', 'passed', 'failed', 'skipped']),
  url: z.string().nullable(),
  /** The end of the log of a failed check; null if it has none or it could not be read. */
  log: z.string().nullable(),
}));
export type Check = z.infer<typeof checkSchema>;

const reviewSchema = lazyObject(() => ({
  id: z.string(),
  author: z.string(),
  verdict: z.enum(['approved', 'changes_requested', 'commented']),
  body: z.string(),
  at: z.number(),
}));
export type Review = z.infer<typeof reviewSchema>;

export const mergeMethodSchema = z.enum(['merge', 'squash', 'rebase']);
export type MergeMethod = z.infer<typeof mergeMethodSchema>;

/** A pull request as the forge has it. */
export const pullViewSchema = lazyObject(() => ({
  number: whole(),
  url: z.string(),
  title: z.string(),
  state: z.enum(['open', 'closed', 'merged']),
  draft: z.boolean(),
  head: z.object({ branch: z.string(), commit: z.string() }),
  base: z.string(),
  /** Whether its merge would conflict; `unknown` while the forge computes it. */
  conflict: z.enum(['none', 'conflict', 'unknown']),
  /** Why the forge's rules forbid to merge it now; null if they do not. */
  blocked: z.string().nullable(),
  files: whole(),
  checks: z.array(checkSchema),
  reviews: z.array(reviewSchema),
  comments: z.array(commentSchema),
  /** More comments than are listed. */
  moreComments: z.boolean(),
  /** The ways of merging that the repository allows. */
  methods: z.array(mergeMethodSchema),
}));
export type PullView = z.infer<typeof pullViewSchema>;
