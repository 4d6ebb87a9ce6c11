import { z } from 'zod';
import { agentProfileSchema } from '../catalog/profile';
import { appErrorSchema } from '../errors';
import { gateEvents } from '../gate/events';
import { jsonSchema, localIdSchema, runIdSchema, stepIdSchema, timestampSchema } from '../ids';
import { loopEvents } from '../loop/events';
import { lane, sessionEvents } from '../session/events';
import { toolCallsSchema } from '../session/response';
import { attachmentSchema, turnOutcomeSchema, usageSchema } from '../session/session';
import { teamEvents } from '../team/events';
import { updateSchema } from '../update/update';
import { contextBundleSchema, workflowDefinitionSchema, workspaceModeSchema } from '../workflow/definition';
import { fileChangeSchema, ranCommandSchema, takenDiffSchema, turnChangesSchema } from '../workspace/changes';
import { event } from './event-kind';
import { keyedSchema } from './keyed';
import { runResultSchema } from './results';

const id = localIdSchema;

export const runOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** `revised` is a gate's reject that leads back; the run goes on. */
export const activationOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected', 'revised']);
export type ActivationOutcome = z.infer<typeof activationOutcomeSchema>;

/** `operator`: the operator's own prompt in a session, outside of the chain that its step asks for. */
export const turnKindSchema = z.enum(['primary', 'reprompt', 'feedback', 'reminder', 'continue', 'operator']);

/** Where a bundle on an input port came from. */
export const inputRefSchema = z.object({ port: z.string(), activationId: id, fromPort: z.string() });

const runEvents = [
  event('run.started', () => ({
    uid: z.string(),
    name: z.string(),
    projectId: z.number().int(),
    projectPath: z.string(),
    sourceFile: z.string().nullable(),
    /** Frozen: later edits of the file do not touch the run. */
    definition: workflowDefinitionSchema,
    profiles: z.record(z.string(), agentProfileSchema),
    /** The profile of agents that name none, where there are such; frozen as the operator had set it. */
    defaultProfile: z.string().optional(),
    instruction: z.string(),
    attachments: z.array(attachmentSchema),
    /** Files that steps name, by the name they use; copied when the run started. */
    files: z.record(z.string(), attachmentSchema),
    projectContext: z.string().nullable(),
    /** Prompt texts that its steps use, frozen too, by their id. */
    prompts: z.record(z.string(), z.string()).optional(),
    /** Rules for prompts and updates; earlier runs have none and keep the first ones. */
    rules: z.literal(2).optional(),
    artifactsDir: z.string(),
    workspaceMode: workspaceModeSchema,
    startedBy: z.string(),
  })),
  event('run.workspace-requested', () => ({})),
  event('run.workspace-ready', () => ({
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
  })),
  event('run.workspace-failed', () => ({ error: appErrorSchema })),
  event('run.cancel-requested', () => ({ by: z.string() })),
  /** The operator says more in a session of a finished run: it works again until that is answered, and ends as it had. */
  event('run.reopened', () => ({ by: z.string() })),
  /** The operator takes a finished run up again: failed and cancelled activations go on where they stopped. */
  event('run.resumed', () => ({
    by: z.string(),
    activationIds: z.array(id),
    /** What the operator tells the next worker of a loop. */
    text: z.string().optional(),
  })),
  event('run.finished', () => ({ outcome: runOutcomeSchema, reason: z.string().nullable() })),
  event('run.binned', () => ({ by: z.string() })),
  event('run.restored', () => ({ by: z.string() })),
  /** After its end: the branches that it worked on are checked out nowhere any more, and what it left is named. */
  event('run.released', () => ({ results: z.array(runResultSchema) })),
  /** The operator wants a result in their checkout. Committed before the checkout changes. */
  event('run.apply-requested', () => ({
    workspaceId: id.nullable(),
    /** The commit of the result. */
    result: z.string(),
    target: z.string(),
    targetCommit: z.string(),
    by: z.string(),
  })),
  event('run.applied', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    target: z.string(),
    /** Null where the checkout had everything already. */
    commit: z.string().nullable(),
    by: z.string(),
  })),
  event('run.apply-refused', () => ({
    workspaceId: id.nullable(),
    result: z.string(),
    error: appErrorSchema,
  })),
] as const;

const activationEvents = [
  event('activation.started', () => ({
    activationId: id,
    stepId: stepIdSchema,
    /** Counts from 1 within the step. */
    attempt: z.number().int().positive(),
    inputs: z.array(inputRefSchema),
  })),
  event('activation.finished', () => ({
    activationId: id,
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), contextBundleSchema),
    /** The ports that fire, in order; a port that carries a bundle fires too. */
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
  })),
  event('step.skipped', () => ({ stepId: stepIdSchema, reason: z.string() })),
] as const;

const turnEvents = [
  event('turn.dispatched', () => ({
    turnId: id,
    sessionId: id,
    activationId: id,
    /** Place in the activation's chain of prompts, from 0; a turn that is sent again keeps its ordinal. */
    ordinal: z.number().int().nonnegative(),
    kind: turnKindSchema,
    prompt: z.string(),
    attachments: z.array(attachmentSchema),
    /** How many turns the activation's chain has in all, for "Re-prompt 2/3". */
    of: z.number().int().positive(),
    resendOf: id.nullable(),
    lane,
    /** How it is called on screen, where its kind and place do not tell: `builder: round 2, feedback`. */
    label: z.string().optional(),
    /** The operator's prompt that this turn carries. */
    promptId: id.optional(),
    /**
     * So many characters at the beginning of the prompt tell what was said before, to a conversation that was begun
     * anew and knows nothing of it. Absent: none.
     */
    carried: z.number().int().nonnegative().optional(),
  })),
  /** The operator wants an end of this one turn. */
  event('turn.cancel-requested', () => ({ turnId: id, by: z.string() })),
  event('turn.finished', () => ({
    turnId: id,
    outcome: turnOutcomeSchema,
    stopReason: z.string(),
    response: z.string(),
    usage: usageSchema.nullable(),
    commit: z.string().nullable(),
    error: appErrorSchema.nullable(),
    /** When a provider's limit ends, if the agent told. */
    limitResetsAt: timestampSchema.nullable(),
    changes: turnChangesSchema.nullable().optional(),
    /** Why its folder could not be kept: what the turn changed is not known, and there is no way back to it. */
    unkept: appErrorSchema.optional(),
    commands: z.array(ranCommandSchema).optional(),
    /** The agent has made room in its context: what it was told before it may know in short only. */
    compacted: z.boolean().optional(),
    toolCalls: toolCallsSchema.optional(),
  })),
  event('turn.interrupted', () => ({
    turnId: id,
    reason: z.string(),
    partial: z.string(),
    toolCalls: toolCallsSchema.optional(),
    /** It is known to have gone on until then. */
    workedUntil: z.number().int().nonnegative().optional(),
  })),
] as const;

/** What the operator says in a session by themselves; each becomes a turn once the session is free. */
const promptEvents = [
  event('prompt.queued', () => ({
    promptId: id,
    sessionId: id,
    text: z.string().min(1),
    attachments: z.array(attachmentSchema),
    by: z.string(),
    keyed: keyedSchema,
  })),
  event('prompt.withdrawn', () => ({ promptId: id, reason: z.string() })),
] as const;

/** Working folders of single activations, beside that of the run. */
const workspaceEvents = [
  event('workspace.requested', () => ({
    workspaceId: id,
    activationId: id,
    /** Set where it belongs to one agent of the activation. */
    lane: z.string().nullable(),
    /** The workspace whose state it begins with; null: that of the run. */
    from: id.nullable(),
  })),
  event('workspace.ready', () => ({
    workspaceId: id,
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
  })),
  event('workspace.failed', () => ({ workspaceId: id, error: appErrorSchema })),
] as const;

/** What agents changed in a workspace, taken while it stands still. */
const captureEvents = [
  event('capture.started', () => ({
    captureId: id,
    activationId: id,
    /** What the step calls it. */
    name: z.string(),
    /** Null: the run's own. */
    workspaceId: id.nullable(),
    /** From the snapshot before this turn; null: from the workspace's beginning. */
    fromTurn: id.nullable(),
    /** To the snapshot after this turn; null: to what is there now. */
    toTurn: id.nullable(),
  })),
  event('capture.finished', () => ({
    captureId: id,
    /** Null where the workspace can have no snapshots. */
    diff: takenDiffSchema.nullable(),
    files: z.array(fileChangeSchema),
    /** There are more than are listed. */
    filesTruncated: z.boolean(),
  })),
  event('capture.failed', () => ({ captureId: id, error: appErrorSchema })),
] as const;

/** What the operator said of a piece of a diff. */
const markEvents = [
  event('hunk.marked', () => ({
    sessionId: id,
    turnId: id.nullable(),
    path: z.string(),
    /** Hash of the hunk's lines. */
    hunk: z.string(),
    mark: z.enum(['accepted', 'rejected', 'none']),
    by: z.string(),
  })),
] as const;

/** One agent of several is out, while its step goes on; and is taken up again. */
const laneEvents = [
  event('lane.failed', () => ({ activationId: id, lane: z.string(), error: appErrorSchema })),
  event('lane.restored', () => ({ activationId: id, lane: z.string(), by: z.string() })),
] as const;

const commandEvents = [
  event('command.started', () => ({
    commandId: id,
    activationId: id,
    workspaceId: id.optional(),
    script: z.string(),
    terminal: z.boolean(),
    env: z.record(z.string(), z.string()),
    timeoutSeconds: z.number().nullable(),
    /** By which its step knows it again, where it may have several. */
    about: z.string().optional(),
  })),
  event('command.finished', () => ({
    commandId: id,
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: z.number().int().nullable(),
    output: z.string(),
    outputPath: z.string().nullable(),
    outputBytes: z.number().int(),
    truncated: z.boolean(),
    error: appErrorSchema.nullable(),
  })),
  event('command.interrupted', () => ({
    commandId: id,
    reason: z.string(),
    workedUntil: z.number().int().nonnegative().optional(),
  })),
] as const;

const timerEvents = [
  event('timer.set', () => ({
    timerId: id,
    activationId: id,
    dueAt: timestampSchema,
    purpose: z.string(),
    /** The turn whose agent it watches over. */
    watches: id.optional(),
  })),
  event('timer.fired', () => ({
    timerId: id,
    /** When the agent that it watches over was last heard of. */
    heardAt: timestampSchema.nullable().optional(),
  })),
] as const;

/** Progress of a re-prompt chain, names and fields as seed 000 section 11 has them; `reprompt_index` counts from 0. */
const progressEvents = [
  event('task.agent_task.reprompt_dispatched', () => ({
    module_id: z.string(),
    reprompt_index: z.number().int(),
    reprompt_count: z.number().int(),
  })),
  event('task.agent_task.reprompt_response', () => ({
    module_id: z.string(),
    reprompt_index: z.number().int(),
    token_count: z.number().int().nullable(),
  })),
  event('task.coding.agent_reprompt_dispatched', () => ({
    module_id: z.string(),
    agent_role: z.string(),
    reprompt_index: z.number().int(),
  })),
  event('task.coding.agent_reprompt_response', () => ({
    module_id: z.string(),
    agent_role: z.string(),
    reprompt_index: z.number().int(),
  })),
] as const;

const updateEvents = [
  event('update.posted', () => ({
    activationId: id,
    turnId: id.nullable(),
    stepId: stepIdSchema,
    update: updateSchema,
    /** The message as it is sent. */
    text: z.string(),
  })),
] as const;

/** Everything that can happen in a run. Stored events are for ever: new fields are optional, a changed meaning is a new type. */
export const eventKinds = [
  ...runEvents,
  ...activationEvents,
  ...sessionEvents,
  ...turnEvents,
  ...promptEvents,
  ...workspaceEvents,
  ...captureEvents,
  ...markEvents,
  ...laneEvents,
  ...teamEvents,
  ...loopEvents,
  ...commandEvents,
  ...gateEvents,
  ...timerEvents,
  ...progressEvents,
  ...updateEvents,
] as const;
export type RunEvent = z.infer<(typeof eventKinds)[number]['schema']>;
export const runEventSchema: z.ZodType<RunEvent> = z.lazy(() => {
  const [first, ...others] = eventKinds;
  return z.discriminatedUnion('type', [first.schema, ...others.map(({ schema }) => schema)]);
});
export type RunEventType = RunEvent['type'];
export type RunEventOf<T extends RunEventType> = Extract<RunEvent, { type: T }>;

/** An event as it was committed: `id` grows over the whole database, `seq` from 1 within the run. */
export interface StoredEvent {
  readonly id: number;
  readonly runId: number;
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}
export const storedEventSchema: z.ZodType<StoredEvent> = z.object({
  id: z.number().int().nonnegative(),
  runId: runIdSchema,
  seq: z.number().int().positive(),
  at: timestampSchema,
  event: runEventSchema,
});
