import type { StackRow } from '@renderer/ui/lists/stack';
import type { TaskState, TaskStatus } from '../../contract/state';

export type BoardRow = StackRow &
  (
    | { readonly kind: 'heading'; readonly status: TaskStatus; readonly count: number }
    | { readonly kind: 'task'; readonly task: TaskState }
  );

const ORDER: readonly TaskStatus[] = ['in_progress', 'pending', 'blocked', 'completed', 'cancelled'];
const RANK = { high: 0, medium: 1, low: 2 };

/** Tasks in progress first, then open ones, most urgent on top; completed ones last. */
export function boardRows(tasks: readonly TaskState[]): BoardRow[] {
  return ORDER.flatMap((status): BoardRow[] => {
    const found = tasks
      .filter((task) => task.status === status)
      .sort((a, b) => RANK[a.priority] - RANK[b.priority] || a.id - b.id);
    if (found.length === 0) return [];
    return [
      { key: status, guess: 30, kind: 'heading', status, count: found.length },
      ...found.map((task): BoardRow => ({ key: `t${task.id}`, guess: 44, kind: 'task', task })),
    ];
  });
}
