import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import type { TaskState } from '../../contract/state';
import { awaitsAcceptance } from '../../contract/status';
import { refuse, reply, type ToolContext, type ToolResult } from './context';

interface TasksInput {
  readonly tasks: readonly {
    readonly content: string;
    readonly priority?: 'high' | 'medium' | 'low' | undefined;
    readonly depends_on?: readonly number[] | undefined;
  }[];
}

/**
 * `team_tasks_add`: a dependency is the number of an existing task, or of one added before it in the same
 * call.
 */
export function addTasks(context: ToolContext, { tasks }: TasksInput): ToolResult {
  const { team, caller } = context;
  const events: RunEvent[] = [];
  let taskId = team.last.task;
  for (const { content, priority = 'medium', depends_on = [] } of tasks) {
    taskId += 1;
    if (content.trim() === '') return refuse('validation.config', 'a task is empty');
    const unknown = depends_on.find(
      (id) => id >= taskId || (id <= team.last.task && team.tasks[id] === undefined),
    );
    if (unknown !== undefined)
      return refuse('team.task_unknown', `task ${taskId} depends on task ${unknown}, which is not there`);
    const about = { activationId: team.activationId, taskId, by: caller.name };
    events.push({
      type: 'team.task-added',
      ...about,
      content: content.trim(),
      priority,
      dependsOn: [...new Set(depends_on)],
    });
  }
  if (events.length === 0) return refuse('validation.config', 'no task is given');
  const numbers = events.map((_, index) => team.last.task + 1 + index).join(', ');
  return reply(`Added: ${numbers}.`, events);
}

function find({ team }: ToolContext, taskId: number): TaskState | ToolResult {
  return (
    team.tasks[taskId] ??
    refuse('team.task_unknown', `there is no task ${taskId}`, 'team_tasks_list shows those there are')
  );
}
const isTask = (found: TaskState | ToolResult): found is TaskState => 'dependsOn' in found;

/** `team_tasks_claim`: one owner each. */
export function claimTask(context: ToolContext, { task_id }: { readonly task_id: number }): ToolResult {
  return claimFor(context, { taskId: task_id, owner: context.caller.name });
}

export function claimFor(
  context: ToolContext,
  { taskId, owner }: { readonly taskId: number; readonly owner: string },
): ToolResult {
  const { team } = context;
  const task = find(context, taskId);
  if (!isTask(task)) return task;
  if (task.owner === owner && task.status === 'in_progress')
    return reply(`Task ${task.id} is yours already.`);
  if (task.status === 'blocked') {
    const open = task.dependsOn.filter((id) => team.tasks[id]?.status !== 'completed');
    return refuse('team.task_blocked', `task ${task.id} waits for ${open.join(', ')}`);
  }
  if (task.status !== 'pending')
    return refuse(
      'team.task_foreign',
      `task ${task.id} is ${task.status}${task.owner === null ? '' : ` by ${task.owner}`}`,
    );
  return reply(`Task ${task.id} is yours.`, [
    { type: 'team.task-claimed', activationId: team.activationId, taskId: task.id, owner },
  ]);
}

/** `team_tasks_complete`: by its owner or the lead; repeating it changes nothing. */
export function completeTask(context: ToolContext, { task_id }: { readonly task_id: number }): ToolResult {
  const { team, caller } = context;
  const task = find(context, task_id);
  if (!isTask(task)) return task;
  if (task.status === 'completed') return reply(`Task ${task.id} is completed already.`);
  if (task.status === 'blocked') return refuse('team.task_blocked', `task ${task.id} is blocked`);
  const foreign = task.owner !== null && task.owner !== caller.name && caller.role === 'member';
  if (foreign) return refuse('team.task_foreign', `task ${task.id} belongs to ${task.owner ?? ''}`);
  const member = ownValue(team.members, caller.name);
  // A member may complete its own task only once the operator has released it.
  if (caller.role === 'member' && member?.iterative === true && member.released === null)
    return refuse(
      'team.not_released',
      'you are in ITERATIVE MODE: your task is not complete before the operator is satisfied',
      'send your output, end your turn and wait',
    );
  const owner: RunEvent[] =
    task.owner === null
      ? [{ type: 'team.task-claimed', activationId: team.activationId, taskId: task.id, owner: caller.name }]
      : [];
  return reply(`Task ${task.id} is completed.`, [
    ...owner,
    { type: 'team.task-completed', activationId: team.activationId, taskId: task.id, by: caller.name },
  ]);
}

/** `team_tasks_list`. */
export function listTasks({ team }: Pick<ToolContext, 'team'>): ToolResult {
  const tasks = Object.values(team.tasks);
  if (tasks.length === 0) return reply('No tasks.');
  return reply(
    tasks
      .map((task) => {
        const { id, content, status, owner, priority, dependsOn } = task;
        const by = owner === null ? '' : ` (${owner})`;
        const after = dependsOn.length === 0 ? '' : `, after ${dependsOn.join(', ')}`;
        const waits = awaitsAcceptance(team, task) ? ', waits for acceptance' : '';
        return `${id}. [${status.replace('_', ' ')}${by}${waits}, ${priority}${after}] ${content}`;
      })
      .join('\n'),
  );
}
