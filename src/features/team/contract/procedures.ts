import { conflictChoiceSchema } from '@areas/changes/contract/merge';
import { budgetSchema } from '@areas/workflows/contract/definition';
import { minutesSchema, whole } from '@contract/bounds';
import { problemSchema } from '@contract/errors';
import { jsonSchema, localIdSchema, newKeySchema, newUidSchema, runIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { TeamMessage } from './state';
import { teamRowSchema } from './summary';

const team = { runId: runIdSchema, activationId: localIdSchema };
const member = { ...team, member: z.string() };
const empty = z.object({});
const text = z.string().trim().min(1);
/** The result as a sentence. */
const textReply = z.object({ text: z.string() });

/** Words that may mean a release, to be confirmed by the operator with one key. */
const releaseAskSchema = z.object({ member: z.string(), how: z.enum(['satisfied', 'shutdown']) });
export type ReleaseAsk = z.infer<typeof releaseAskSchema>;
const meantSchema = z.enum(['release', 'message']);
export type Meant = z.infer<typeof meantSchema>;
/** With `meant: release`: which of the members in question; required if there are several. */
const releasedSchema = z.array(z.string()).optional();

/** A team template in a project's `.muster/teams/NAME.yaml`. */
const teamTemplateSchema = lazyObject(() => ({
  projectId: z.number().int(),
  projectName: z.string(),
  /** Relative to the project. */
  file: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  members: z.array(z.object({ name: z.string(), agent: z.string(), iterative: z.boolean() })),
  /** The configuration of a `step.team`; null if the file is invalid. */
  config: z.record(z.string(), jsonSchema).nullable(),
  problems: z.array(problemSchema),
}));
export type TeamTemplate = z.infer<typeof teamTemplateSchema>;

export const conflictDecisionSchema = z.object({ take: conflictChoiceSchema, text: z.string().optional() });

export const teamProcedures = {
  /** The teams of the latest runs, newest first. */
  'team.list': {
    input: lazyObject(() => ({ limit: whole().min(1).max(1000).default(40) })),
    output: lazyObject(() => ({ rows: z.array(teamRowSchema), more: z.boolean() })),
  },
  /**
   * A page of a thread (null: everything; `lead`; a member's name), oldest first; `before` is a message's id.
   */
  'team.messages': {
    input: lazyObject(() => ({
      ...team,
      thread: z.string().nullable(),
      before: localIdSchema.optional(),
      limit: whole().min(1).max(500).default(200),
    })),
    output: lazyObject(() => ({
      messages: z.array(z.custom<TeamMessage>((value) => typeof value === 'object' && value !== null)),
      more: z.boolean(),
    })),
  },
  /**
   * A message of the operator: to a member, to the lead, or (null) to the lead agent, else as a note to all.
   * `@name` at the start overrides `to`. If the words may mean a release and `meant` is absent, nothing
   * happens, and `asks` lists the members to confirm one by one.
   */
  'team.say': {
    input: lazyObject(() => ({
      ...team,
      key: newKeySchema,
      to: z.string().nullable(),
      text,
      meant: meantSchema.optional(),
      release: releasedSchema,
    })),
    output: lazyObject(() => ({ asks: z.array(releaseAskSchema), text: z.string() })),
  },
  /** Feedback on a member's last round; starts the next one. */
  'team.changes': {
    input: lazyObject(() => ({ ...member, key: newKeySchema, text })),
    output: textReply,
  },
  /** The member gets one last round, then stops, and its merge is offered. */
  'team.satisfied': { input: z.lazy(() => z.object(member)), output: textReply },
  /** Ends the turn of a member or of `lead`; its waiting messages are sent next, followed by this text. */
  'team.interrupt': {
    input: lazyObject(() => ({
      ...member,
      key: newKeySchema,
      text: z.string().default(''),
      meant: meantSchema.optional(),
      release: releasedSchema,
    })),
    /** If it asks, no turn was ended and nothing was sent. */
    output: lazyObject(() => ({ asks: z.array(releaseAskSchema), text: z.string() })),
  },
  'team.edit': { input: lazyObject(() => ({ ...team, messageId: localIdSchema, text })), output: empty },
  'team.withdraw': { input: lazyObject(() => ({ ...team, messageId: localIdSchema })), output: empty },
  'team.spawn': {
    input: lazyObject(() => ({
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
      /** The number of a task that it will own. */
      claimTask: localIdSchema.optional(),
    })),
    output: textReply,
  },
  'team.shutdown': {
    input: lazyObject(() => ({ ...member, force: z.boolean().default(false) })),
    output: textReply,
  },
  /** Resumes a failed member: its last prompt is resent. */
  'team.restore': {
    input: lazyObject(() => ({
      ...member,
      /** Another agent's profile, by id or name, which continues in the member's folder. */
      agent: text.optional(),
      model: text.optional(),
    })),
    output: textReply,
  },
  'team.merge': { input: z.lazy(() => z.object(member)), output: textReply },
  /** Performs the rehearsed merge; each file in conflict needs a choice. */
  'team.mergeConfirm': {
    input: lazyObject(() => ({
      ...team,
      mergeId: localIdSchema,
      choices: z.record(z.string(), conflictDecisionSchema).default({}),
    })),
    output: textReply,
  },
  'team.mergeDecline': {
    input: lazyObject(() => ({ ...team, mergeId: localIdSchema })),
    output: textReply,
  },
  'team.cleanup': { input: z.lazy(() => z.object(team)), output: textReply },
  'team.taskAdd': {
    input: lazyObject(() => ({
      ...team,
      key: newKeySchema,
      content: text,
      priority: z.enum(['high', 'medium', 'low']).default('medium'),
      dependsOn: z.array(localIdSchema).default([]),
    })),
    output: textReply,
  },
  'team.taskComplete': {
    input: lazyObject(() => ({ ...team, taskId: localIdSchema })),
    output: textReply,
  },
  /** Takes a task from its owner, so that another may claim it. */
  'team.taskFree': { input: lazyObject(() => ({ ...team, taskId: localIdSchema })), output: textReply },
  /** Starts a run with a single team; `config` is that of a `step.team`. */
  'team.start': {
    input: lazyObject(() => ({
      uid: newUidSchema,
      projectId: whole(),
      name: z.string().trim().min(1).max(120),
      config: z.record(z.string(), jsonSchema),
      /** For the whole team: when it is used up the operator is asked. */
      budget: budgetSchema.optional(),
      startedBy: z.string().default('operator'),
    })),
    output: lazyObject(() => ({ runId: runIdSchema })),
  },
  'team.templates': {
    input: lazyObject(() => ({ projectId: whole().optional() })),
    output: z.lazy(() => z.array(teamTemplateSchema)),
  },
  /** Saves a team in a project's `.muster/teams/`; never overwrites a file. */
  'team.saveTemplate': {
    input: lazyObject(() => ({
      projectId: whole(),
      name: z.string().trim().min(1).max(120),
      config: z.record(z.string(), jsonSchema),
    })),
    output: lazyObject(() => ({ file: z.string() })),
  },
} as const;
