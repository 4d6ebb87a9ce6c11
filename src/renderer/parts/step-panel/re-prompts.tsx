import type { Json } from '@contract/ids';
import { isMap } from '@contract/workflow/change';
import type { ValuePath } from '@contract/workflow/edit';
import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical, Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button';
import { Glyph } from '../../ui/icon';
import { Files } from './files-field';
import { useStepForm } from './form-context';
import styles from './step-panel.module.css';
import { TextField } from './text-field';

/** More of them are shown and kept, but not added here. */
const MOST = 10;

const textOf = (entry: Json | undefined): string =>
  typeof entry === 'string' ? entry : isMap(entry) && typeof entry.text === 'string' ? entry.text : '';
const filesOf = (entry: Json | undefined): string[] =>
  isMap(entry) && Array.isArray(entry.attachments)
    ? entry.attachments.filter((one) => typeof one === 'string')
    : [];

/** Follow-up prompts in the same session, in their order. */
export function RePrompts({ label, path }: { readonly label: string; readonly path: ValuePath }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const value = valueAt(path);
  const entries = Array.isArray(value) ? value : [];
  const place = { step: [...step], path: [...path] };
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const move = (at: number, to: number) => {
    if (at !== to && to >= 0 && to < entries.length) edit([{ kind: 'list.move', ...place, at, to }]);
  };
  const dropped = ({ active, over }: DragEndEvent) => {
    if (over !== null) move(Number(active.id) - 1, Number(over.id) - 1);
  };
  const [problem] = problemsAt(path);
  const full = entries.length >= MOST;
  return (
    <section className={styles.list} aria-label={label}>
      <h3>{label}</h3>
      <p className="quiet">
        Follow-up prompts in the same session. Each is sent after the response before it.
      </p>
      {problem && <p className="field-error">{problem.message}</p>}
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={dropped}>
        <SortableContext items={entries.map((_, index) => index + 1)} strategy={verticalListSortingStrategy}>
          <ol>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry is known by its place alone
              <RePrompt key={index} {...{ entry, index, path, move }} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <Button
        icon={Plus}
        disabled={disabled || full}
        tip={full ? `At most ${MOST} re-prompts are added here.` : undefined}
        onClick={() => edit([{ kind: 'list.insert', ...place, at: entries.length, value: '' }])}
      >
        Add re-prompt
      </Button>
    </section>
  );
}

interface RePromptProps {
  readonly entry: Json;
  readonly index: number;
  readonly path: ValuePath;
  readonly move: (at: number, to: number) => void;
}

function RePrompt({ entry, index, path, move }: RePromptProps) {
  const { problemsAt, disabled, edit, step } = useStepForm();
  const name = `Re-prompt ${index + 1}`;
  const sortable = useSortable({ id: index + 1, disabled });
  const own = [...path, index];
  const files = filesOf(entry);
  const [problem] = problemsAt(own);
  const set = (text: string, attachments: readonly string[], group?: string) => {
    // Without a file it is saved as a plain text.
    const edits = isMap(entry)
      ? attachments.length === 0
        ? [{ kind: 'value.set' as const, path: own, value: text }]
        : [
            { kind: 'value.set' as const, path: [...own, 'text'], value: text },
            { kind: 'value.set' as const, path: [...own, 'attachments'], value: [...attachments] },
          ]
      : [
          {
            kind: 'value.set' as const,
            path: own,
            value: attachments.length === 0 ? text : { text, attachments: [...attachments] },
          },
        ];
    edit(
      edits.map((one) => ({ ...one, step: [...step] })),
      group,
    );
  };
  const { transform } = sortable;
  return (
    <li
      ref={sortable.setNodeRef}
      className={styles.entry}
      aria-label={name}
      style={transform === null ? undefined : { transform: `translateY(${transform.y}px)` }}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        event.stopPropagation();
        move(index, index + (event.key === 'ArrowUp' ? -1 : 1));
      }}
    >
      <div className={styles.entryHead}>
        <button
          type="button"
          className="icon-button"
          ref={sortable.setActivatorNodeRef}
          {...sortable.attributes}
          {...sortable.listeners}
          aria-label={`Move ${name.toLowerCase()}`}
          title="Drag to move, or press Alt with an arrow key"
        >
          <Glyph of={GripVertical} />
        </button>
        <span className="grow">{index + 1}.</span>
        <IconButton
          icon={X}
          label={`Remove ${name.toLowerCase()}`}
          disabled={disabled}
          onClick={() => edit([{ kind: 'list.remove', step: [...step], path: [...path], at: index }])}
        />
      </div>
      <TextField
        label={name}
        value={textOf(entry)}
        long
        disabled={disabled}
        invalid={problem !== undefined}
        onCommit={(text) => set(text, files, JSON.stringify([step, own]))}
      />
      {problem && <p className="field-error">{problem.message}</p>}
      <Files
        {...{ label: `Attach files to ${name.toLowerCase()}`, paths: files, disabled }}
        onAdd={(fresh) => set(textOf(entry), [...files, ...fresh])}
        onRemove={(one) =>
          set(
            textOf(entry),
            files.filter((file) => file !== one),
          )
        }
      />
    </li>
  );
}
