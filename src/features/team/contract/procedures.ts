import { minutesSchema } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { jsonSchema, localIdSchema, newKeySchema, newUidSchema, runIdSchema } from '@contract/ids';
import { budgetSchema } from '@contract/workflow/definition';
import { conflictChoiceSchema } from '@contract/workspace/merge';
import { z } from 'zod';
import type { TeamMessage } from './state';
import { teamRowSchema } from './summary';

const team = { runId: runIdSchema, activationId: localIdSchema };
const member = { ...team, member: z.string() };
const empty = z.object({});
const text = z.string().trim().min(1);
/** What the act came to, in a sentence. */
const told = z.object({ text: z.string() });

/** Words that could mean a release, and need one key of the operator to say whether they do. */
export const releaseAskSchema = z.object({ member: z.string(), how: z.enum(['satisfied', 'shutdown']) });
export type ReleaseAsk = z.infer<typeof releaseAskSchema>;
const meantSchema = z.enum(['release', 'message']);
export type Meant = z.infer<typeof meantSchema>;
/** With `meant: release`, whom of the members that were asked about; needed where several were. */
const releasedSchema = z.array(z.string()).optional();

/** A team that can be started as it is in `.muster/teams/NAME.yaml` of a project. */
export const teamTemplateSchema = z.lazy(() =>
  z.object({
    projectId: z.number().int(),
    projectName: z.string(),
    /** Relative to the project. */
    file: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    members: z.array(z.object({ name: z.string(), agent: z.string(), iterative: z.boolean() })),
    /** The configuration of a `step.team`; null where the file cannot be read as one. */
    config: z.record(z.string(), jsonSchema).nullable(),
    problems: z.array(problemSchema),
  }),
);
export type TeamTemplate = z.infer<typeof teamTemplateSchema>;

export const conflictDecisionSchema = z.object({ take: conflictChoiceSchema, text: z.string().optional() });

export const teamProcedures = {
  /** The teams of the last runs, newest first. */
  'team.list': {
    input: z.lazy(() => z.object({ limit: z.number().int().min(1).max(1000).default(40) })),
    output: z.lazy(() => z.object({ rows: z.array(teamRowSchema), more: z.boolean() })),
  },
  /** A page of a thread (null: everything; `lead`; a member's name), oldest first; `before` is a message's id. */
  'team.messages': {
    input: z.lazy(() =>
      z.object({
        ...team,
        thread: z.string().nullable(),
        before: localIdSchema.optional(),
        limit: z.number().int().min(1).max(500).default(200),
      }),
    ),
    output: z.lazy(() =>
      z.object({
        messages: z.array(z.custom<TeamMessage>((value) => typeof value === 'object' && value !== null)),
        more: z.boolean(),
      }),
    ),
  },
  /**
   * The operator speaks: to a member, to the lead, or (null) to the lead agent, else as a note to all. `@name` at the
   * start goes before `to`. Where the words may mean a release and `meant` is left out, nothing happens and `asks` says
   * of whom; each of them is asked about by itself.
   */
  'team.say': {
    input: z.lazy(() =>
      z.object({
        ...team,
        key: newKeySchema,
        to: z.string().nullable(),
        text,
        meant: meantSchema.optional(),
        release: releasedSchema,
      }),
    ),
    output: z.lazy(() => z.object({ asks: z.array(releaseAskSchema), text: z.string() })),
  },
  /** Feedback on a member's last round: it starts the next one. */
  'team.changes': { input: z.lazy(() => z.object({ ...member, key: newKeySchema, text })), output: told },
  /** One last round, then it stops and its merge is offered. */
  'team.satisfied': { input: z.lazy(() => z.object(member)), output: told },
  /** Ends the turn of a member or of `lead`; what waits for it is sent next, with this text at the end. */
  'team.interrupt': {
    input: z.lazy(() =>
      z.object({
        ...member,
        key: newKeySchema,
        text: z.string().default(''),
        meant: meantSchema.optional(),
        release: releasedSchema,
      }),
    ),
    /** Where it asks, nothing was ended and nothing sent. */
    output: z.lazy(() => z.object({ asks: z.array(releaseAskSchema), text: z.string() })),
  },
  'team.edit': { input: z.lazy(() => z.object({ ...team, messageId: localIdSchema, text })), output: empty },
  'team.withdraw': { input: z.lazy(() => z.object({ ...team, messageId: localIdSchema })), output: empty },
  'team.spawn': {
    input: z.lazy(() =>
      z.object({
        ...team,
        key: newKeySchema,
        name: z.string(),
        /** An agent profile's id or name. */
        agent: z.string(),
        prompt: z.string(),
        iterative: z.boolean().default(true),
        readOnly: z.boolean().default(false),
        worktree: z.boolean().default(true),
        planApproval: z.boolean().default(false),
        model: z.string().nullable().default(null),
        idleMinutes: minutesSchema.nullable().default(null),
        /** The number of a task that it is to own. */
        claimTask: localIdSchema.optional(),
      }),
    ),
    output: told,
  },
  'team.shutdown': {
    input: z.lazy(() => z.object({ ...member, force: z.boolean().default(false) })),
    output: told,
  },
  /** Takes a failed member up again: its last prompt is sent once more. */
  'team.restore': {
    input: z.lazy(() =>
      z.object({
        ...member,
        /** Another agent's profile, by its id or name: it continues in the member's folder. */
        agent: text.optional(),
        model: text.optional(),
      }),
    ),
    output: told,
  },
  'team.merge': { input: z.lazy(() => z.object(member)), output: told },
  /** Merges as it was rehearsed; each file in conflict needs a choice. */
  'team.mergeConfirm': {
    input: z.lazy(() =>
      z.object({
        ...team,
        mergeId: localIdSchema,
        choices: z.record(z.string(), conflictDecisionSchema).default({}),
      }),
    ),
    output: told,
  },
  'team.mergeDecline': { input: z.lazy(() => z.object({ ...team, mergeId: localIdSchema })), output: told },
  'team.cleanup': { input: z.lazy(() => z.object(team)), output: told },
  'team.taskAdd': {
    input: z.lazy(() =>
      z.object({
        ...team,
        key: newKeySchema,
        content: text,
        priority: z.enum(['high', 'medium', 'low']).default('medium'),
        dependsOn: z.array(localIdSchema).default([]),
      }),
    ),
    output: told,
  },
  'team.taskComplete': { input: z.lazy(() => z.object({ ...team, taskId: localIdSchema })), output: told },
  /** Takes a task from its owner: someone else may claim it. */
  'team.taskFree': { input: z.lazy(() => z.object({ ...team, taskId: localIdSchema })), output: told },
  /** Starts a run of one team; `config` is that of a `step.team`. */
  'team.start': {
    input: z.lazy(() =>
      z.object({
        uid: newUidSchema,
        projectId: z.number().int(),
        name: z.string().trim().min(1).max(120),
        config: z.record(z.string(), jsonSchema),
        /** Of the whole team: at its end the operator is asked. */
        budget: budgetSchema.optional(),
        startedBy: z.string().default('operator'),
      }),
    ),
    output: z.lazy(() => z.object({ runId: runIdSchema })),
  },
  'team.templates': {
    input: z.lazy(() => z.object({ projectId: z.number().int().optional() })),
    output: z.lazy(() => z.array(teamTemplateSchema)),
  },
  /** Keeps a team in `.muster/teams/` of a project; no file is written over. */
  'team.saveTemplate': {
    input: z.lazy(() =>
      z.object({
        projectId: z.number().int(),
        name: z.string().trim().min(1).max(120),
        config: z.record(z.string(), jsonSchema),
      }),
    ),
    output: z.lazy(() => z.object({ file: z.string() })),
  },
} as const;
