import { z } from 'zod';
import { agentProfileSchema } from '../catalog/profile';
import { appErrorSchema } from '../errors';
import { gateAnswerSchema, gateKindSchema, gateOptionSchema, permissionRequestSchema } from '../gate/gate';
import { jsonSchema, localIdSchema, runIdSchema, stepIdSchema, timestampSchema } from '../ids';
import { attachmentSchema, capabilitiesSchema, turnOutcomeSchema, usageSchema } from '../session/session';
import { updateSchema } from '../update/update';
import { contextBundleSchema, workflowDefinitionSchema, workspaceModeSchema } from '../workflow/definition';

const id = localIdSchema;

export const runOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected']);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

/** `revised` is a gate's reject that leads back; the run goes on. */
export const activationOutcomeSchema = z.enum(['succeeded', 'failed', 'cancelled', 'rejected', 'revised']);
export type ActivationOutcome = z.infer<typeof activationOutcomeSchema>;

export const turnKindSchema = z.enum(['primary', 'reprompt', 'feedback', 'reminder', 'continue']);

/** Where a bundle on an input port came from. */
export const inputRefSchema = z.object({ port: z.string(), activationId: id, fromPort: z.string() });

const runEvents = [
  z.object({
    type: z.literal('run.started'),
    uid: z.string(),
    name: z.string(),
    projectId: z.number().int(),
    projectPath: z.string(),
    sourceFile: z.string().nullable(),
    /** Frozen: later edits of the file do not touch the run. */
    definition: workflowDefinitionSchema,
    profiles: z.record(z.string(), agentProfileSchema),
    instruction: z.string(),
    attachments: z.array(attachmentSchema),
    /** Files that steps name, by the name they use; copied when the run started. */
    files: z.record(z.string(), attachmentSchema),
    projectContext: z.string().nullable(),
    artifactsDir: z.string(),
    workspaceMode: workspaceModeSchema,
    startedBy: z.string(),
  }),
  z.object({ type: z.literal('run.workspace-requested') }),
  z.object({
    type: z.literal('run.workspace-ready'),
    path: z.string(),
    branch: z.string().nullable(),
    baseCommit: z.string().nullable(),
  }),
  z.object({ type: z.literal('run.workspace-failed'), error: appErrorSchema }),
  z.object({ type: z.literal('run.cancel-requested'), by: z.string() }),
  /** The operator takes a finished run up again: failed and cancelled activations go on where they stopped. */
  z.object({ type: z.literal('run.resumed'), by: z.string(), activationIds: z.array(id) }),
  z.object({ type: z.literal('run.finished'), outcome: runOutcomeSchema, reason: z.string().nullable() }),
  z.object({ type: z.literal('run.binned'), by: z.string() }),
  z.object({ type: z.literal('run.restored'), by: z.string() }),
] as const;

const activationEvents = [
  z.object({
    type: z.literal('activation.started'),
    activationId: id,
    stepId: stepIdSchema,
    /** Counts from 1 within the step. */
    attempt: z.number().int().positive(),
    inputs: z.array(inputRefSchema),
  }),
  z.object({
    type: z.literal('activation.finished'),
    activationId: id,
    outcome: activationOutcomeSchema,
    outputs: z.record(z.string(), contextBundleSchema),
    /** The ports that fire, in order; a port that carries a bundle fires too. */
    signals: z.array(z.string()),
    receipt: z.record(z.string(), jsonSchema),
    warnings: z.array(z.string()),
    error: appErrorSchema.nullable(),
  }),
  z.object({ type: z.literal('step.skipped'), stepId: stepIdSchema, reason: z.string() }),
] as const;

const sessionEvents = [
  z.object({
    type: z.literal('session.starting'),
    sessionId: id,
    activationId: id,
    profileId: z.string(),
    model: z.string().nullable(),
    mode: z.string().nullable(),
    env: z.record(z.string(), z.string()),
  }),
  /** An activation takes up a session that already exists. */
  z.object({ type: z.literal('session.assigned'), sessionId: id, activationId: id }),
  z.object({ type: z.literal('session.resuming'), sessionId: id }),
  z.object({
    type: z.literal('session.ready'),
    sessionId: id,
    providerSessionId: z.string().nullable(),
    agent: z.string(),
    cwd: z.string(),
    capabilities: capabilitiesSchema,
    /** False after a resume: the agent still knows what was said. */
    fresh: z.boolean(),
    notice: z.string().nullable(),
  }),
  z.object({ type: z.literal('session.failed'), sessionId: id, error: appErrorSchema }),
  z.object({ type: z.literal('session.parked'), sessionId: id, reason: z.string() }),
  /** Its process is gone without having been asked to go. */
  z.object({ type: z.literal('session.lost'), sessionId: id, reason: z.string() }),
  z.object({ type: z.literal('session.closed'), sessionId: id }),
] as const;

const turnEvents = [
  z.object({
    type: z.literal('turn.dispatched'),
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
  }),
  z.object({
    type: z.literal('turn.finished'),
    turnId: id,
    outcome: turnOutcomeSchema,
    stopReason: z.string(),
    response: z.string(),
    usage: usageSchema.nullable(),
    commit: z.string().nullable(),
    error: appErrorSchema.nullable(),
    /** When a provider's limit ends, if the agent told. */
    limitResetsAt: timestampSchema.nullable(),
  }),
  z.object({ type: z.literal('turn.interrupted'), turnId: id, reason: z.string(), partial: z.string() }),
] as const;

const commandEvents = [
  z.object({
    type: z.literal('command.started'),
    commandId: id,
    activationId: id,
    script: z.string(),
    terminal: z.boolean(),
    env: z.record(z.string(), z.string()),
    timeoutSeconds: z.number().nullable(),
  }),
  z.object({
    type: z.literal('command.finished'),
    commandId: id,
    outcome: z.enum(['exited', 'signalled', 'timed_out', 'cancelled', 'failed_to_start']),
    exitCode: z.number().int().nullable(),
    output: z.string(),
    outputPath: z.string().nullable(),
    outputBytes: z.number().int(),
    truncated: z.boolean(),
    error: appErrorSchema.nullable(),
  }),
  z.object({ type: z.literal('command.interrupted'), commandId: id, reason: z.string() }),
] as const;

const gateEvents = [
  z.object({
    type: z.literal('gate.opened'),
    gateId: id,
    kind: gateKindSchema,
    activationId: id.nullable(),
    turnId: id.nullable(),
    sessionId: id.nullable(),
    commandId: id.nullable(),
    title: z.string(),
    message: z.string(),
    /** The thing to decide on, in place: an agent's answer, a command, an error. */
    evidence: z.string().nullable(),
    request: permissionRequestSchema.nullable(),
    options: z.array(gateOptionSchema).min(1),
    /** Why it is asked, where that is not plain: for example that an earlier answer was for another input. */
    why: z.string().nullable(),
  }),
  z.object({ type: z.literal('gate.resolved'), gateId: id, answer: gateAnswerSchema, by: z.string() }),
  /** The answer reached the agent, at once or when the resumed turn asked the same again. */
  z.object({ type: z.literal('gate.delivered'), gateId: id, turnId: id }),
  z.object({ type: z.literal('gate.withdrawn'), gateId: id, reason: z.string() }),
] as const;

const timerEvents = [
  z.object({
    type: z.literal('timer.set'),
    timerId: id,
    activationId: id,
    dueAt: timestampSchema,
    purpose: z.string(),
  }),
  z.object({ type: z.literal('timer.fired'), timerId: id }),
] as const;

/** Progress of a re-prompt chain, names and fields as seed 000 section 11 has them; `reprompt_index` counts from 0. */
const progressEvents = [
  z.object({
    type: z.literal('task.agent_task.reprompt_dispatched'),
    module_id: z.string(),
    reprompt_index: z.number().int(),
    reprompt_count: z.number().int(),
  }),
  z.object({
    type: z.literal('task.agent_task.reprompt_response'),
    module_id: z.string(),
    reprompt_index: z.number().int(),
    token_count: z.number().int().nullable(),
  }),
] as const;

const updateEvents = [
  z.object({
    type: z.literal('update.posted'),
    activationId: id,
    turnId: id.nullable(),
    stepId: stepIdSchema,
    update: updateSchema,
    /** The message as it is sent. */
    text: z.string(),
  }),
] as const;

/** Everything that can happen in a run. Stored events are for ever: new fields are optional, a changed meaning is a new type. */
export const runEventSchema = z.discriminatedUnion('type', [
  ...runEvents,
  ...activationEvents,
  ...sessionEvents,
  ...turnEvents,
  ...commandEvents,
  ...gateEvents,
  ...timerEvents,
  ...progressEvents,
  ...updateEvents,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
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
