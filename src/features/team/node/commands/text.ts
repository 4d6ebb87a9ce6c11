import { taskResultParts } from '@areas/sessions/contract/task-result';
import { columns, counted } from '@main/cli/output/columns';
import type { Style } from '@main/cli/output/style';
import { clockTime, duration } from '@main/cli/output/time';
import { LEAD, OPERATOR } from '../../contract/events';
import { earlierTexts, MUSTER, textFor } from '../../contract/messages/thread';
import type { TaskState, TeamMessage, TeamState } from '../../contract/state';
import { awaitsAcceptance, type MemberWord } from '../../contract/status';
import type { MemberRow, TeamRow } from '../../contract/summary';

const WORDS: Record<MemberWord, string> = {
  starting: 'starting',
  working: 'working',
  awaiting_lead: 'waits for the lead',
  awaiting_operator: 'waits for you',
  awaiting_permission: 'waits for permission',
  idle: 'idle',
  parked: 'parked',
  stopping: 'stopping',
  stopped: 'stopped',
  merged: 'merged',
  failed: 'failed',
};

/** A speaker's name for the operator. */
const nameOf = (who: string): string => {
  if (who === OPERATOR) return 'you';
  if (who === LEAD) return 'the lead';
  return who === MUSTER ? 'Muster' : who;
};

/** A team's members with their status. */
export function memberLines(members: readonly MemberRow[], now: number, width: number | undefined): string[] {
  if (members.length === 0) return ['No members yet.'];
  const rows = members.map((member) => [
    member.name,
    member.agent,
    member.iterative ? 'iterative' : 'one-shot',
    member.round === 0 ? '-' : `round ${member.round}`,
    `${WORDS[member.word]}${member.stalled === null ? '' : ', stalled'}`,
    duration(now - member.since),
    member.queued === 0 ? '' : counted(member.queued, 'message'),
    member.why,
  ]);
  return columns([['NAME', 'AGENT', 'MODE', 'ROUND', 'STATE', 'SINCE', 'QUEUED', 'WHY'], ...rows], { width });
}

/** One message, with sender and recipients; in a member's thread, with the text that this member got. */
export function messageLines(message: TeamMessage, style: Style, thread: string | null = null): string[] {
  const { from, kind, at, deliveries } = message;
  const text = textFor(message, thread);
  const earlier = thread === null ? earlierTexts(message) : [];
  const to = Object.values(deliveries);
  const whom = to.map((delivery) => nameOf(delivery.to)).join(', ');
  const waits = to.some(({ state }) => state === 'queued') ? ', queued' : '';
  const gone = to.length > 0 && to.every(({ state }) => state === 'withdrawn') ? ', withdrawn' : '';
  const kindLabel = kind === 'instruction' ? '' : ` (${kind})`;
  const words = kind === 'result' ? taskResultParts(text).map((part) => part.text) : [text];
  return [
    style.dim(`${clockTime(at)}  ${nameOf(from)} to ${whom}${kindLabel}${waits}${gone}`),
    ...indented(words.join('\n\n')),
    ...earlier.flatMap((one) => [
      style.dim(`  ${one.names.map(nameOf).join(', ')} got it before the change:`),
      ...indented(one.text),
    ]),
  ];
}

const indented = (text: string): string[] => text.split('\n').map((line) => `  ${line}`);

const TASKS: Record<TaskState['status'], string> = {
  pending: 'to do',
  blocked: 'blocked',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
};

export function taskLines(team: TeamState, width: number | undefined): string[] {
  const tasks = Object.values(team.tasks);
  if (tasks.length === 0) return ['No tasks.'];
  const rows = tasks.map((task) => [
    String(task.id),
    awaitsAcceptance(team, task) ? 'waits for acceptance' : TASKS[task.status],
    task.owner === null ? '' : nameOf(task.owner),
    task.priority,
    task.dependsOn.length === 0 ? '' : `after ${task.dependsOn.join(', ')}`,
    task.content,
  ]);
  return columns(rows, { width });
}

/** A team in one line of the list. */
export function teamCells(row: TeamRow): string[] {
  const atWork = row.members.filter(({ word }) => ['starting', 'working', 'stopping'].includes(word)).length;
  const waits = row.waiting + row.openGates;
  const state = !row.live
    ? `ended${row.outcome === null ? '' : `, ${row.outcome}`}`
    : waits > 0
      ? 'waits for you'
      : 'running';
  return [
    String(row.runId),
    row.runName,
    row.projectName,
    state,
    counted(row.members.length, 'member'),
    `${atWork} working`,
    waits === 0 ? '' : `${waits} waiting`,
  ];
}
