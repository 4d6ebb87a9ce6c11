import { whole } from '@contract/bounds';
import { newKeySchema, newUidSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import {
  branchNameSchema,
  forgeHostSchema,
  issuePageSchema,
  issueSchema,
  mergeMethodSchema,
  projectForgeSchema,
} from './forge';
import { pullPreviewSchema, pullRecordSchema, pullTextSchema } from './pull';

const empty = z.object({});
const run = { runId: runIdSchema };
const project = { projectId: whole() };
const shownOfIssue = {
  /** The branch that is proposed, without the end that tells two works apart. */
  branch: z.string(),
  /** Identifies exactly the text that the agent gets. */
  shown: z.string(),
};

export const forgeProcedures = {
  /** The forge of a project, from its git remote. */
  'forge.get': { input: lazyObject(() => project), output: projectForgeSchema },
  'forge.hosts': { input: empty, output: lazyObject(() => ({ hosts: z.array(forgeHostSchema) })) },
  /** Replaces the operator's own hosts. */
  'forge.setHosts': {
    input: lazyObject(() => ({ hosts: z.array(forgeHostSchema).max(50) })),
    output: empty,
  },
  'issue.list': {
    input: lazyObject(() => ({
      ...project,
      search: z.string().max(200).default(''),
      label: z.string().max(100).optional(),
      state: z.enum(['open', 'closed']).default('open'),
      page: whole().min(1).max(20).default(1),
    })),
    output: issuePageSchema,
  },
  /** An issue as it is read: what the forge's own readers do not see is left out, long texts are cut. */
  'issue.get': {
    input: lazyObject(() => ({ ...project, number: whole() })),
    output: z.lazy(() => issueSchema.unwrap().extend(shownOfIssue)),
  },
  /** The prompt that work on an issue begins with, as an agent gets it. */
  'issue.preview': {
    input: lazyObject(() => ({ ...project, number: whole(), note: z.string().max(20_000).default('') })),
    output: lazyObject(() => ({ prompt: z.string(), ...shownOfIssue })),
  },
  /** Starts a run in which one agent works on the issue. */
  'issue.start': {
    input: lazyObject(() => ({
      ...project,
      uid: newUidSchema,
      number: whole(),
      agent: z.string(),
      /** The operator's own words, which come before the text of the issue. */
      note: z.string().max(20_000).default(''),
      startedBy: z.string().default('operator'),
      /** The branch that a pull request of the result is opened from; else it is named after the issue. */
      branch: branchNameSchema.optional(),
      /** What was shown of the issue: `conflict` if it has changed since. */
      shown: z.string().optional(),
    })),
    output: lazyObject(() => run),
  },
  /** What opening (or, if there is one, updating) the pull request of a run's result would write. */
  'pull.preview': {
    input: lazyObject(() => ({ ...run, text: pullTextSchema.unwrap().partial().default({}) })),
    output: pullPreviewSchema,
  },
  /** Writes exactly what was shown; `conflict` if the result has changed since. */
  'pull.open': {
    input: lazyObject(() => ({ ...run, text: pullTextSchema, shown: z.string() })),
    output: pullRecordSchema,
  },
  'pull.list': { input: empty, output: lazyObject(() => ({ rows: z.array(pullRecordSchema) })) },
  /** What is stored of the run's pull request; nothing is asked of the forge. */
  'pull.record': {
    input: lazyObject(() => run),
    output: lazyObject(() => ({ record: pullRecordSchema.nullable() })),
  },
  /** Tries again what was agreed to and could not be sent. What an earlier try made is found, not made again. */
  'pull.retry': { input: lazyObject(() => run), output: pullRecordSchema },
  /** The run's pull request, freshly read from the forge. */
  'pull.get': { input: lazyObject(() => run), output: pullRecordSchema },
  'pull.merge': {
    input: lazyObject(() => ({ ...run, method: mergeMethodSchema.optional(), commit: z.string() })),
    output: pullRecordSchema,
  },
  /** What the agent would be sent: failed checks with the end of their logs, and comments not sent yet. */
  'pull.fixPreview': { input: lazyObject(() => run), output: lazyObject(() => ({ prompt: z.string() })) },
  /**
   * Sends that to the session of the run. With rounds, repeats it until the checks pass: each result is
   * pushed by itself.
   */
  'pull.fix': {
    input: lazyObject(() => ({ ...run, key: newKeySchema, rounds: whole().min(0).max(10).default(0) })),
    output: pullRecordSchema,
  },
  /** Ends a loop before its last round. */
  'pull.stopFix': { input: lazyObject(() => run), output: pullRecordSchema },
  /** Marks items of pull requests as seen. */
  'pull.seen': { input: lazyObject(() => ({ ...run, items: z.array(z.string()).max(200) })), output: empty },
} as const;
