import { fail, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { minuteCount, numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import type { Context } from '@main/cli/command';
import type { ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import type { FoundTeam } from '../address';
import { act } from './act';
import type { TeamCall } from './flags';
import { showTasks } from './show';

type Done = Promise<Result<ExitCode>>;
type Act = (context: Context, call: TeamCall) => Done;
type ActReply = Promise<Result<{ readonly text: string }>>;
const invalid = (message: string, mend?: string) =>
  fail('input.invalid', message, mend === undefined ? {} : { mend });

/** An action on one member by name. */
const onMember =
  (
    work: (link: Link, about: FoundTeam['place'] & { readonly member: string }, call: TeamCall) => ActReply,
  ): Act =>
  (context, call) => {
    const [, address = '', member = ''] = call.words;
    return act(context, {
      address,
      flags: call.flags,
      work: (link, { place }) => work(link, { ...place, member }, call),
    });
  };

export const satisfied = onMember((link, about) => ask(link, 'team.satisfied', about));

export const retry = onMember((link, about, { flags: { agent, model } }) =>
  ask(link, 'team.restore', {
    ...about,
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
  }),
);

export const shutdown = onMember((link, about, { flags: { force } }) =>
  ask(link, 'team.shutdown', { ...about, force }),
);

export const changes: Act = (context, call) => {
  const key = ulids.ulid();
  const send = onMember((link, about, { words }) =>
    ask(link, 'team.changes', { ...about, key, text: words[3] ?? '' }),
  );
  return send(context, call);
};

export const interrupt: Act = (context, call) => {
  const key = ulids.ulid();
  const cut = onMember((link, about, { words }) =>
    ask(link, 'team.interrupt', { ...about, key, text: words[3] ?? '', meant: 'message' }),
  );
  return cut(context, call);
};

export const spawn: Act = async (context, { words, flags }) => {
  const [, address = '', name = ''] = words;
  const { agent, prompt } = flags;
  if (agent === undefined || prompt === undefined)
    return invalid('spawn needs --agent PROFILE and --prompt TEXT');
  const idle = numberFlag('idle-minutes', flags['idle-minutes'], minuteCount);
  if (!idle.ok) return idle;
  const task = numberFlag('task', flags.task, wholeNumber());
  if (!task.ok) return task;
  const key = ulids.ulid();
  return act(context, {
    address,
    flags,
    work: (link, { place }) =>
      ask(link, 'team.spawn', {
        ...place,
        key,
        name,
        agent,
        prompt,
        iterative: flags.iterative,
        readOnly: flags['read-only'],
        planApproval: flags.plan,
        model: flags.model ?? null,
        idleMinutes: idle.value ?? null,
        ...(task.value === undefined ? {} : { claimTask: task.value }),
      }),
  });
};

export const end: Act = (context, { words, flags }) =>
  act(context, {
    address: words[1] ?? '',
    flags,
    work: (link, { place }) => ask(link, 'team.cleanup', place),
  });

/** The task board: lists all tasks, adds, completes or frees one. */
export const tasks: Act = async (context, { words, flags }) => {
  const [, address = '', verb, what = ''] = words;
  if (verb === undefined) return showTasks(context, address);
  const taskId = Number(what);
  if (verb === 'add') {
    const key = ulids.ulid();
    const priority = flags.priority ?? 'medium';
    if (priority !== 'high' && priority !== 'medium' && priority !== 'low')
      return invalid('--priority is high, medium or low');
    const dependsOn = flags.after.map(Number);
    return act(context, {
      address,
      flags,
      work: (link, { place }) =>
        ask(link, 'team.taskAdd', { ...place, key, content: what, priority, dependsOn }),
    });
  }
  if ((verb !== 'complete' && verb !== 'free') || !Number.isInteger(taskId))
    return invalid(`tasks: "${verb} ${what}" is not a command`, 'one of: add TEXT, complete N, free N');
  const procedure = verb === 'complete' ? 'team.taskComplete' : 'team.taskFree';
  return act(context, {
    address,
    flags,
    work: (link, { place }) => ask(link, procedure, { ...place, taskId }),
  });
};
