import { z } from 'zod';
import { jsonSchema, newUidSchema, runIdSchema } from '../ids';
import { promptFolderSchema } from '../prompts/folders';
import { transcriptItemSchema, transcriptLineSchema } from '../session/session';
import { workspaceModeSchema } from '../workflow/definition';
import { runComparisonSchema } from './comparison';
import { storedEventSchema } from './events';
import { runOutcomeSchema } from './lifecycle/events';
import { applyOutcomeSchema, shownResultSchema } from './results';
import { type RunState, runStatusSchema } from './state';

/** The first event of a run that cannot be read, and why. */
export const unreadableSchema = z.object({ seq: z.number().int().positive(), why: z.string() });

export const runRowSchema = z.lazy(() =>
  z.object({
    id: runIdSchema,
    uid: z.string(),
    name: z.string(),
    projectId: z.number().int(),
    projectName: z.string(),
    status: runStatusSchema,
    outcome: runOutcomeSchema.nullable(),
    reason: z.string().nullable(),
    startedAt: z.number(),
    finishedAt: z.number().nullable(),
    at: z.number(),
    steps: z.number().int(),
    stepsDone: z.number().int(),
    openGates: z.number().int(),
    /** What works now, in a few words: "review: Re-prompt 2/3". */
    now: z.string().nullable(),
    tokens: z.number(),
    costUsd: z.number(),
    binnedAt: z.number().nullable(),
    /** Bytes of its artifacts folder, known for runs in the bin. */
    bytes: z.number().nullable(),
    unreadable: unreadableSchema.optional(),
  }),
);
export type RunRow = z.infer<typeof runRowSchema>;

/** A run's state as JSON, and the seq up to which it goes. The reader continues with `reduce`. */
export const runSnapshotSchema = z.object({
  row: runRowSchema,
  state: z.custom<RunState>((v) => typeof v === 'object' && v !== null),
});
export type RunSnapshot = z.infer<typeof runSnapshotSchema>;

const empty = z.object({});
const one = z.object({ runId: runIdSchema });

export const runProcedures = {
  'run.start': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        projectId: z.number().int(),
        file: z.string(),
        instruction: z.string().default(''),
        attachments: z.array(z.string()).default([]),
        /** Values of the workflow's inputs, by their names. */
        inputs: z.record(z.string(), z.string()).default({}),
        /** Folders of prompt texts that win over the project's. */
        promptFolders: z.array(promptFolderSchema).optional(),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: one,
  },
  /** Starts a run of one step: this agent does what the prompt says. */
  'run.startTask': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        projectId: z.number().int(),
        /** The id of an agent's profile. */
        agent: z.string(),
        prompt: z.string().trim().min(1),
        workspace: workspaceModeSchema.default('worktree'),
        attachments: z.array(z.string()).default([]),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: one,
  },
  'run.list': {
    input: z.lazy(() =>
      z.object({
        before: runIdSchema.optional(),
        limit: z.number().int().min(1).max(500).default(100),
        status: runStatusSchema.optional(),
        search: z.string().optional(),
        binned: z.boolean().default(false),
      }),
    ),
    output: z.lazy(() => z.object({ rows: z.array(runRowSchema), more: z.boolean() })),
  },
  /** The runs that the core has taken up. On the others no one works, whatever their rows say. */
  'run.live': { input: empty, output: z.lazy(() => z.array(runIdSchema)) },
  'run.get': { input: one, output: runSnapshotSchema },
  /** Finds a run by its number or uid, as an address or a person names it. */
  'run.find': { input: z.lazy(() => z.object({ name: z.string() })), output: runRowSchema },
  'run.events': {
    input: z.lazy(() =>
      z.object({
        runId: runIdSchema,
        afterSeq: z.number().int().nonnegative().default(0),
        limit: z.number().int().max(5000).default(1000),
        /** Stop after this many bytes; at least one event is given. */
        bytes: z.number().int().positive().optional(),
      }),
    ),
    output: z.lazy(() => z.array(storedEventSchema)),
  },
  /**
   * A page of one output: of `step`, else of the step that ended last and has such a port. A text is given as it is,
   * anything else as JSON.
   */
  'run.output': {
    input: z.lazy(() =>
      z.object({
        runId: runIdSchema,
        step: z.string().nullable().default(null),
        port: z.string().default('data_out'),
        /** Where to begin, in characters. */
        from: z.number().int().nonnegative().default(0),
        chars: z.number().int().min(1_024).max(1_048_576).default(262_144),
      }),
    ),
    output: z.lazy(() =>
      z.object({
        step: z.string(),
        port: z.string(),
        /** Of the activation: another one means that the step ran again since the page before. */
        activationId: z.number().int(),
        isText: z.boolean(),
        text: z.string(),
        from: z.number().int(),
        /** Where the next page begins; `size` at the end. */
        to: z.number().int(),
        size: z.number().int(),
      }),
    ),
  },
  'run.cancel': {
    input: z.lazy(() => z.object({ runId: runIdSchema, by: z.string().default('operator') })),
    output: empty,
  },
  'run.resume': {
    input: z.lazy(() =>
      z.object({
        runId: runIdSchema,
        by: z.string().default('operator'),
        /** A hint for the next worker of a loop. */
        text: z.string().trim().min(1).max(20_000).optional(),
      }),
    ),
    output: empty,
  },
  /**
   * Starts a run that begins at a step of one that has ended: results before the step are taken from there, and its
   * working folder begins as it was then. Fails with `workspace.snapshot_gone` where the folder was not kept.
   */
  'run.again': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        runId: runIdSchema,
        step: z.string(),
        /** Takes the place of the step's instruction. */
        instruction: z.string().trim().min(1).optional(),
        /** Values of the workflow's inputs that differ, by their names. */
        inputs: z.record(z.string(), z.string()).default({}),
        /** Parts of the step's configuration that differ, by their names. */
        config: z.record(z.string(), jsonSchema).default({}),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: one,
  },
  /** Two runs step by step: outcome, difference of the outputs, tokens, cost and time. */
  'run.compare': {
    input: z.lazy(() => z.object({ runId: runIdSchema, otherId: runIdSchema })),
    output: runComparisonSchema,
  },
  /** What a finished run left, by folder. Its branches are freed first, where that was not done yet. */
  'run.results': { input: one, output: z.lazy(() => z.array(shownResultSchema)) },
  /**
   * Brings a result into the operator's checkout by a merge that is tried first. `step`: `STEP` or `STEP/AGENT`, where
   * there are several. Fails with `conflict`, with nothing changed, where it does not merge or the checkout has
   * changes of its own in its files.
   */
  'run.apply': {
    input: z.lazy(() =>
      z.object({ runId: runIdSchema, step: z.string().optional(), by: z.string().default('operator') }),
    ),
    output: applyOutcomeSchema,
  },
  'run.bin': { input: one, output: empty },
  'run.restore': { input: one, output: empty },
  /** Permanently: the rows and the artifacts folder of a run that is in the bin. */
  'run.purge': { input: one, output: empty },
  'run.export': {
    input: z.lazy(() => z.object({ runId: runIdSchema, path: z.string() })),
    output: z.lazy(() =>
      z.object({
        path: z.string(),
        /** Those that can be read. */
        events: z.number(),
        /** Those that cannot, and all after them; the file has them as stored in the database. */
        raw: z.number().default(0),
        bytes: z.number(),
      }),
    ),
  },
  'run.import': { input: z.lazy(() => z.object({ path: z.string() })), output: one },
  /** What was streamed in a turn, from the session's log; `live` says that the turn is still in flight. */
  'run.transcript': {
    input: z.lazy(() => z.object({ runId: runIdSchema, turnId: z.number().int() })),
    output: z.lazy(() => z.object({ live: z.boolean(), items: z.array(transcriptItemSchema) })),
  },
  /** All lines of one session's log. */
  'run.sessionLog': {
    input: z.lazy(() =>
      z.object({
        runId: runIdSchema,
        sessionId: z.number().int(),
        limit: z.number().int().max(10000).default(2000),
      }),
    ),
    output: z.lazy(() => z.array(transcriptLineSchema)),
  },
  /** The end of a command's output while it runs or afterwards. */
  'run.commandOutput': {
    input: z.lazy(() =>
      z.object({
        runId: runIdSchema,
        commandId: z.number().int(),
        bytes: z.number().int().max(1_000_000).default(64_000),
      }),
    ),
    output: z.lazy(() => z.object({ text: z.string(), totalBytes: z.number() })),
  },
  /** Events of all runs after an id, for the event stream. */
  'event.page': {
    input: z.lazy(() =>
      z.object({
        afterId: z.number().int().nonnegative(),
        limit: z.number().int().max(5000).default(1000),
        /** Approximate page size in bytes; a page has at least one event unless nothing follows. */
        bytes: z.number().int().positive().max(64_000_000).default(4_000_000),
        runId: runIdSchema.optional(),
      }),
    ),
    output: z.lazy(() => z.object({ events: z.array(storedEventSchema), lastId: z.number() })),
  },
} as const;
