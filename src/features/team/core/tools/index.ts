import { minutesSchema } from '@contract/bounds';
import { lazily } from '@contract/lazy-value';
import { z } from 'zod';
import type { ToolContext, ToolResult } from './context';
import { cleanup, merge, shutdown, spawn, status } from './members';
import { broadcast, message } from './messages';
import { results } from './results';
import { addTasks, claimTask, completeTask, listTasks } from './tasks';

export type { Caller, ToolContext, ToolReply, ToolResult } from './context';
export { satisfied } from './members';

/** A team tool, as served to agents. */
interface TeamTool {
  readonly name: string;
  readonly description: string;
  readonly roles: readonly ('lead' | 'member')[];
  readonly input: z.ZodObject;
  /** Pure: the events must be committed on the same state, in the same turn of the event loop. */
  call(context: ToolContext, input: unknown): ToolResult;
}

function tool<I extends z.ZodObject>(definition: {
  name: string;
  description: string;
  roles: TeamTool['roles'];
  input: I;
  call: (context: ToolContext, input: z.output<I>) => ToolResult;
}): TeamTool {
  return {
    ...definition,
    call: (context, input) => definition.call(context, definition.input.parse(input)),
  };
}

const all = ['lead', 'member'] as const;
const lead = ['lead'] as const;
const taskId = z.strictObject({ task_id: z.number().int().positive() });

const talking = lazily((): readonly TeamTool[] => [
  tool({
    name: 'team_spawn',
    description:
      'Adds a member to the team and gives it its first task. With iterative: true it works in rounds: it delivers, waits for feedback, and ends only when the user is satisfied.',
    roles: lead,
    input: z.strictObject({
      name: z.string().describe('letters, digits and hyphens'),
      agent: z.string().describe('the name of an agent profile'),
      prompt: z.string(),
      iterative: z.boolean().optional(),
      idle_timeout_minutes: minutesSchema.optional(),
      worktree: z.boolean().optional().describe('a worktree and branch of its own; true by default'),
      read_only: z.boolean().optional(),
      plan_approval: z.boolean().optional().describe('it sends a plan first, and begins when it is approved'),
      model: z.string().optional(),
      claim_task: z.number().int().positive().optional().describe('the number of a task that it is to own'),
    }),
    call: spawn,
  }),
  tool({
    name: 'team_message',
    description:
      'Sends a message to one member by its name, or to "lead". To a member it is an instruction and starts its next round; a one-shot member that has reported is not woken.',
    roles: all,
    input: z.strictObject({
      to: z.string(),
      text: z.string(),
      approve: z.boolean().optional().describe("approves the member's plan; for the user alone"),
      reject: z.boolean().optional().describe("sends the member's plan back, with the text as reason"),
    }),
    call: message,
  }),
  tool({
    name: 'team_broadcast',
    description:
      'Tells all others something. It starts no round: each member reads it with the next instruction.',
    roles: all,
    input: z.strictObject({ text: z.string() }),
    call: broadcast,
  }),
  tool({
    name: 'team_results',
    description:
      'Gives the messages and results that you have not read yet, whole. With from, those of one member and all its earlier rounds; with round too, that round alone.',
    roles: all,
    input: z.strictObject({
      from: z.string().optional(),
      round: z.number().int().positive().optional().describe('a round of the member named by from'),
    }),
    call: results,
  }),
]);

const leading = lazily((): readonly TeamTool[] => [
  tool({
    name: 'team_status',
    description: 'Who is at what, since when and why.',
    roles: lead,
    input: z.strictObject({}),
    call: status,
  }),
  tool({
    name: 'team_shutdown',
    description: 'Ends a member. An iterative one only after the user has released it.',
    roles: lead,
    input: z.strictObject({ member: z.string(), force: z.boolean().optional() }),
    call: shutdown,
  }),
  tool({
    name: 'team_merge',
    description: 'Offers the work of a member that has ended to the user for merging.',
    roles: lead,
    input: z.strictObject({ member: z.string() }),
    call: merge,
  }),
  tool({
    name: 'team_cleanup',
    description: 'Ends the team. Refused while an iterative member is active or another one works.',
    roles: lead,
    input: z.strictObject({}),
    call: cleanup,
  }),
]);

const tasks = lazily((): readonly TeamTool[] => [
  tool({
    name: 'team_tasks_add',
    description: 'Adds tasks to the board. depends_on names earlier tasks by number.',
    roles: all,
    input: z.strictObject({
      tasks: z.array(
        z.strictObject({
          content: z.string(),
          priority: z.enum(['high', 'medium', 'low']).optional(),
          depends_on: z.array(z.number().int().positive()).optional(),
        }),
      ),
    }),
    call: addTasks,
  }),
  tool({
    name: 'team_tasks_claim',
    description: 'Takes a task.',
    roles: all,
    input: taskId,
    call: claimTask,
  }),
  tool({
    name: 'team_tasks_complete',
    description: 'Completes a task of yours.',
    roles: all,
    input: taskId,
    call: completeTask,
  }),
  tool({
    name: 'team_tasks_list',
    description: 'Lists the tasks.',
    roles: all,
    input: z.strictObject({}),
    call: listTasks,
  }),
]);

/** The tools of SPEC "Teams", with the names that agents call. */
export const teamTools = (): readonly TeamTool[] => [...talking(), ...leading(), ...tasks()];

export const toolOf = (name: string): TeamTool | undefined => teamTools().find((one) => one.name === name);
