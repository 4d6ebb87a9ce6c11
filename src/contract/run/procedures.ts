import { promptFolderSchema } from '@areas/prompts/contract/folders';
import { transcriptItemSchema, transcriptLineSchema } from '@areas/sessions/contract/session';
import { workspaceModeSchema } from '@areas/workflows/contract/definition';
import { z } from 'zod';
import { whole } from '../bounds';
import { jsonSchema, newKeySchema, newUidSchema, runIdSchema } from '../ids';
import { lazyObject } from '../lazy-object';
import { sha256Schema } from '../whole-text';
import { runComparisonSchema } from './comparison/comparison';
import { storedEventSchema } from './events';
import { runIssueSchema, runNameSchema, runOutcomeSchema } from './lifecycle/events';
import { applyHowSchema, applyPreviewSchema, commitMessageSchema, undoableSchema } from './results/apply';
import { applyOutcomeSchema, shownResultSchema, undoOutcomeSchema } from './results/results';
import { type RunState, runStatusSchema } from './state';

/** The first unreadable event of a run, and why. */
export const unreadableSchema = lazyObject(() => ({ seq: z.number().int().positive(), why: z.string() }));

export const runRowSchema = lazyObject(() => ({
  id: runIdSchema,
  uid: z.string(),
  name: z.string(),
  workflowName: z.string(),
  /** The beginning of its instruction. */
  instruction: z.string(),
  /** The names of the agents that worked in it so far. */
  agents: z.string(),
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
  /** The current work in a few words: "review: Re-prompt 2/3". */
  now: z.string().nullable(),
  tokens: z.number(),
  costUsd: z.number(),
  binnedAt: z.number().nullable(),
  /** Bytes of its artifacts folder; known for runs in the bin. */
  bytes: z.number().nullable(),
  unreadable: unreadableSchema.optional(),
}));
export type RunRow = z.infer<typeof runRowSchema>;

/** A run's state as JSON, and the last `seq` it includes. The reader continues with `reduce`. */
const runSnapshotSchema = lazyObject(() => ({
  row: runRowSchema,
  state: z.custom<RunState>((v) => typeof v === 'object' && v !== null),
}));
export type RunSnapshot = z.infer<typeof runSnapshotSchema>;

const empty = z.object({});
const one = z.object({ runId: runIdSchema });
const ofResult = z.lazy(() => one.extend({ step: z.string().optional() }));

export const runProcedures = {
  'run.start': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      projectId: whole(),
      file: z.string(),
      instruction: z.string().default(''),
      attachments: z.array(z.string()).default([]),
      /** Values of the workflow's inputs, by name. */
      inputs: z.record(z.string(), z.string()).default({}),
      /** Folders of prompt texts that override the project's. */
      promptFolders: z.array(promptFolderSchema).optional(),
      startedBy: z.string().default('operator'),
    })),
    output: one,
  },
  /** Starts a run with one step: the agent carries out the prompt. */
  'run.startTask': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      projectId: whole(),
      /** The id of an agent's profile. */
      agent: z.string(),
      prompt: z.string().trim().min(1),
      workspace: workspaceModeSchema.default('worktree'),
      attachments: z.array(z.string()).default([]),
      issue: runIssueSchema.optional(),
      startedBy: z.string().default('operator'),
    })),
    output: one,
  },
  'run.list': {
    input: lazyObject(() => ({
      before: runIdSchema.optional(),
      limit: whole().min(1).max(500).default(100),
      status: runStatusSchema.optional(),
      /** Part of a name, an instruction or a project's name. */
      search: z.string().optional(),
      binned: z.boolean().default(false),
    })),
    output: lazyObject(() => ({ rows: z.array(runRowSchema), more: z.boolean() })),
  },
  /** The runs loaded in the core. No other run is being worked on, whatever its row says. */
  'run.live': { input: empty, output: z.lazy(() => z.array(runIdSchema)) },
  'run.get': { input: one, output: runSnapshotSchema },
  /** Finds a run by the number or uid in an address or command. */
  'run.find': { input: lazyObject(() => ({ name: z.string() })), output: runRowSchema },
  'run.events': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      afterSeq: whole().nonnegative().default(0),
      limit: whole().max(5000).default(1000),
      /** Stop after this many bytes; at least one event is returned. */
      bytes: whole().positive().optional(),
    })),
    output: z.lazy(() => z.array(storedEventSchema)),
  },
  /**
   * A page of one output: of `step`, else of the last-ended step with such a port. Text is returned
   * unchanged, anything else as JSON.
   */
  'run.output': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      step: z.string().nullable().default(null),
      port: z.string().default('data_out'),
      /** Start position, in characters. */
      from: whole().nonnegative().default(0),
      chars: whole().min(1_024).max(1_048_576).default(262_144),
    })),
    output: lazyObject(() => ({
      step: z.string(),
      port: z.string(),
      /** The activation; a different one means that the step has run again since the previous page. */
      activationId: z.number().int(),
      isText: z.boolean(),
      text: z.string(),
      /** `first 64 KiB of 10 MB`: the step took only this part of its output. */
      cut: z.string().optional(),
      from: whole(),
      /** Start of the next page; `size` at the end. */
      to: whole(),
      size: z.number().int(),
    })),
  },
  /** A page of a text that is too large for the events that name it. */
  'run.text': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      sha256: sha256Schema,
      from: whole().nonnegative().default(0),
      chars: whole().min(1_024).max(1_048_576).default(262_144),
    })),
    output: lazyObject(() => ({
      text: z.string(),
      from: whole(),
      to: whole(),
      size: whole(),
      /** The file with all of it. */
      path: z.string(),
    })),
  },
  'run.cancel': {
    input: lazyObject(() => ({ runId: runIdSchema, by: z.string().default('operator') })),
    output: empty,
  },
  'run.resume': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      by: z.string().default('operator'),
      /** A hint for the next worker of a loop. */
      text: z.string().trim().min(1).max(20_000).optional(),
    })),
    output: empty,
  },
  /**
   * Starts a new run at a step of an ended one: earlier results are adopted, and its working folder starts as
   * it was then. Fails with `workspace.snapshot_gone` if that state of the folder was not kept.
   */
  'run.again': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      runId: runIdSchema,
      step: z.string(),
      /** Replaces the step's instruction. */
      instruction: z.string().trim().min(1).optional(),
      /** Workflow inputs with changed values, by name. */
      inputs: z.record(z.string(), z.string()).default({}),
      /** Changed parts of the step's configuration, by name. */
      config: z.record(z.string(), jsonSchema).default({}),
      startedBy: z.string().default('operator'),
    })),
    output: one,
  },
  /** Compares two runs step by step: outcome, output diff, tokens, cost and time. */
  'run.compare': {
    input: lazyObject(() => ({ runId: runIdSchema, otherId: runIdSchema })),
    output: runComparisonSchema,
  },
  /** A finished run's results, by folder. Frees its branches first if needed. */
  'run.results': { input: one, output: z.lazy(() => z.array(shownResultSchema)) },
  /**
   * Applies a result to the operator's checkout with a merge that is rehearsed first. `step`: `STEP` or
   * `STEP/AGENT`, if there are several results. Fails with `conflict`, changing nothing, if it does not merge
   * cleanly or the checkout has own changes in the same files.
   */
  'run.apply': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      step: z.string().optional(),
      /** What was shown: `shown` of `workspace.diff`. Refused with `run.result_changed` if it is different now. */
      shown: z.string().optional(),
      how: applyHowSchema.default('squash'),
      /** The commit message; default: that of the preview. */
      message: commitMessageSchema.optional(),
      by: z.string().default('operator'),
    })),
    output: applyOutcomeSchema,
  },
  /** What `run.apply` would do now, with its conflicts. Changes nothing. */
  'run.apply-preview': { input: ofResult, output: applyPreviewSchema },
  /** Whether `run.undo` would undo the application of a result now. */
  'run.undoable': { input: ofResult, output: undoableSchema },
  /**
   * Undoes the application of a result: the checkout is again as before it. Fails with `conflict`, changing
   * nothing, if the checkout has moved on or one of the files was changed since.
   */
  'run.undo': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      step: z.string().optional(),
      by: z.string().default('operator'),
    })),
    output: undoOutcomeSchema,
  },
  /** Null: the derived name again. Returns the current name. */
  'run.rename': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      name: runNameSchema.nullable(),
      by: z.string().default('operator'),
    })),
    output: z.object({ name: z.string() }),
  },
  'run.bin': { input: one, output: empty },
  'run.restore': { input: one, output: empty },
  /** Permanently deletes the rows and the artifacts folder of a run in the bin. */
  'run.purge': { input: one, output: empty },
  'run.export': {
    input: lazyObject(() => ({ runId: runIdSchema, path: z.string() })),
    output: lazyObject(() => ({
      path: z.string(),
      /** Readable events. */
      events: z.number(),
      /** The unreadable event and all after it; the file has them as stored in the database. */
      raw: z.number().default(0),
      bytes: z.number(),
    })),
  },
  'run.import': {
    /** By `key` the import can be cancelled as long as it runs. */
    input: lazyObject(() => ({ path: z.string(), key: newKeySchema })),
    output: one,
  },
  /** An import that is over stays as it ended. */
  'run.cancelImport': { input: lazyObject(() => ({ key: z.string() })), output: empty },
  /** A turn's streamed items from the session's log; `live` means the turn is still in flight. */
  'run.transcript': {
    input: lazyObject(() => ({ runId: runIdSchema, turnId: whole() })),
    output: lazyObject(() => ({ live: z.boolean(), items: z.array(transcriptItemSchema) })),
  },
  /** All lines of a session's log. */
  'run.sessionLog': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      sessionId: whole(),
      limit: whole().max(10000).default(2000),
    })),
    output: z.lazy(() => z.array(transcriptLineSchema)),
  },
  /** The end of a command's output, during or after its run. */
  'run.commandOutput': {
    input: lazyObject(() => ({
      runId: runIdSchema,
      commandId: whole(),
      bytes: whole().max(1_000_000).default(64_000),
    })),
    output: lazyObject(() => ({ text: z.string(), totalBytes: z.number() })),
  },
  /** Events of all runs after an id, for the event stream. */
  'event.page': {
    input: lazyObject(() => ({
      afterId: whole().nonnegative(),
      limit: whole().max(5000).default(1000),
      /** Approximate page size in bytes; a page has at least one event unless none is left. */
      bytes: whole().positive().max(64_000_000).default(4_000_000),
      runId: runIdSchema.optional(),
    })),
    output: lazyObject(() => ({ events: z.array(storedEventSchema), lastId: z.number() })),
  },
} as const;
