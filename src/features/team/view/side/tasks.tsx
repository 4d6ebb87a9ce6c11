import { useDraft, useOutgoing, useSending } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { putBack } from '@renderer/client/sending/outgoing';
import { attempt } from '@renderer/client/toasts';
import { Marked } from '@renderer/parts/marks/marks';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Select, TextInput } from '@renderer/ui/controls/field';
import { Empty } from '@renderer/ui/layout/note';
import { Stack } from '@renderer/ui/lists/stack';
import { Check, ListTodo, Plus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { TaskState, TeamState } from '../../contract/state';
import { awaitsAcceptance } from '../../contract/status';
import { nameOf, taskWord } from '../words';
import { type BoardRow, boardRows } from './board';
import sideStyles from './side.module.css';
import styles from './tasks.module.css';

interface TaskBoardProps {
  readonly place: { readonly runId: number; readonly activationId: number };
  readonly team: TeamState;
  readonly live: boolean;
}

/** The team's tasks. */
export function TaskBoard({ place, team, live }: TaskBoardProps) {
  const tasks = Object.values(team.tasks);
  return (
    <>
      {live && <AddTask place={place} />}
      {tasks.length === 0 ? (
        <Empty icon={ListTodo} title="No tasks">
          You and the agents add tasks here. An agent claims a task to work on it.
        </Empty>
      ) : (
        <div className={sideStyles.sideStack}>
          <Stack
            label="Tasks"
            rows={boardRows(tasks)}
            draw={(row) => <Row row={row} place={place} team={team} live={live} />}
          />
        </div>
      )}
    </>
  );
}

type Priority = TaskState['priority'];

function AddTask({ place }: Pick<TaskBoardProps, 'place'>) {
  const draft = `team/${place.runId}/${place.activationId}/task`;
  const [content, setContent] = useDraft(draft);
  const [priority, setPriority] = useState<Priority>('medium');
  const begin = useSending(draft, content);
  const send = useOutgoing();
  const add = async () => {
    if (content.trim() === '') return;
    const sending = begin();
    setContent('');
    const deliver = async () => {
      const { key } = sending;
      const taken = (await attempt(call('team.taskAdd', { ...place, key, content, priority }))) !== null;
      if (taken) sending.answered();
      return taken;
    };
    await send(deliver, () => {
      setContent(putBack(content));
      sending.unanswered();
    });
  };
  return (
    <form
      className={styles.taskAdd}
      aria-label="Add a task"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <TextInput
        aria-label="Task"
        placeholder="Add a task"
        value={content}
        onChange={(event) => setContent(event.target.value)}
      />
      <Select
        aria-label="Priority"
        value={priority}
        onChange={(event) => setPriority(event.target.value as Priority)}
      >
        <option value="high">high</option>
        <option value="medium">medium</option>
        <option value="low">low</option>
      </Select>
      <Button type="submit" icon={Plus} disabled={content.trim() === ''}>
        Add
      </Button>
    </form>
  );
}

function Row({ row, place, team, live }: TaskBoardProps & { readonly row: BoardRow }) {
  if (row.kind === 'heading') {
    return (
      <h2 className={styles.taskHeading}>
        {taskWord[row.status].word} <span className="count">{row.count}</span>
      </h2>
    );
  }
  const { task } = row;
  const { id: taskId, status, owner } = task;
  const open = status === 'pending' || status === 'in_progress';
  return (
    <article className={styles.taskRow} aria-label={`Task ${taskId}: ${task.content}`}>
      <Marked word={taskWord[status]} markOnly />
      <div className="grow">
        <p className={`reads ${status === 'completed' ? 'quiet' : ''}`}>{task.content}</p>
        <p className="note faint">
          {taskId} · {task.priority}
          {owner !== null && ` · ${nameOf(owner)}`}
          {awaitsAcceptance(team, task) && ' · waits for acceptance'}
          {task.dependsOn.length > 0 && ` · after ${task.dependsOn.join(', ')}`}
        </p>
      </div>
      {live && status === 'in_progress' && (
        <IconButton
          icon={Undo2}
          label={`Take task ${taskId} back from its owner`}
          onClick={() => void attempt(call('team.taskFree', { ...place, taskId }))}
        />
      )}
      {live && open && (
        <IconButton
          icon={Check}
          label={`Complete task ${taskId}`}
          onClick={() => void attempt(call('team.taskComplete', { ...place, taskId }))}
        />
      )}
    </article>
  );
}
