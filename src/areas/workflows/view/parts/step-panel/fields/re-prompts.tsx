import type { Json } from '@contract/ids';
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
import { Button, IconButton } from '@renderer/ui/controls/button';
import { FieldError } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { GripVertical, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { shown } from '../../../../contract/apply-edit';
import { isMap } from '../../../../contract/change';
import type { ValuePath, WorkflowEdit } from '../../../../contract/edit';
import { useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import { listName } from './fields';
import { Files } from './files-field';
import { TextField } from './text-field';

/** More of them are shown and kept, but not added here. */
const MOST_RE_PROMPTS = 10;

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
  const shown = useRef<HTMLOListElement>(null);
  const move: Move = async (at, to, focus = null) => {
    if (at === to || to < 0 || to >= entries.length) return;
    const done = await edit([{ kind: 'list.move', ...place, at, to }]);
    if (done === 'written' && focus !== null) focusIn(shown.current?.children[to], focus);
  };
  const dropped = ({ active, over }: DragEndEvent) => {
    if (over !== null) void move(Number(active.id) - 1, Number(over.id) - 1);
  };
  const [problem] = problemsAt(path);
  const full = entries.length >= MOST_RE_PROMPTS;
  return (
    <section className={styles.list} aria-label={listName(label, path)}>
      <h3>{label}</h3>
      <p className="quiet">
        Follow-up prompts in the same session. Each is sent after the response before it.
      </p>
      {problem && <FieldError>{problem.message}</FieldError>}
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={dropped}>
        <SortableContext items={entries.map((_, index) => index + 1)} strategy={verticalListSortingStrategy}>
          <ol ref={shown}>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no id but its index
              <RePrompt key={index} entry={entry} index={index} path={path} move={move} />
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <Button
        icon={Plus}
        disabled={disabled || full}
        tip={full ? `At most ${MOST_RE_PROMPTS} re-prompts can be added here.` : undefined}
        onClick={() => void edit([{ kind: 'list.insert', ...place, at: entries.length, value: '' }])}
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
  readonly move: Move;
}

/** The focused part of an entry; it keeps the focus when the entry moves. */
type Focus = 'handle' | 'text';
type Move = (at: number, to: number, focus?: Focus | null) => Promise<void>;

function focusIn(entry: Element | undefined, focus: Focus): void {
  const text = entry?.querySelector('[data-part="template-editor"]')?.shadowRoot;
  const part = focus === 'text' ? text?.querySelector('[contenteditable]') : entry?.querySelector('button');
  if (part instanceof HTMLElement) part.focus();
}

type Written = Extract<WorkflowEdit, { kind: 'value.set' }>;

/** A re-prompt without files is saved as a plain string. */
function editsOf(
  entry: Json,
  { step, path }: Pick<Written, 'step' | 'path'>,
  { text, attachments }: { readonly text: string; readonly attachments: readonly string[] },
): Written[] {
  const set = (at: Written['path'], value: Json): Written => ({ kind: 'value.set', step, path: at, value });
  if (attachments.length === 0) return [set(path, text)];
  if (!isMap(entry)) return [set(path, { text, attachments: [...attachments] })];
  return [set([...path, 'text'], text), set([...path, 'attachments'], [...attachments])];
}

function RePrompt({ entry, index, path, move }: RePromptProps) {
  const { problemsAt, disabled, edit, step } = useStepForm();
  const name = `Re-prompt ${index + 1}`;
  const sortable = useSortable({ id: index + 1, disabled });
  const entryPath = [...path, index];
  const files = filesOf(entry);
  const [problem] = problemsAt(entryPath);
  const set = (text: string, attachments: readonly string[]) =>
    edit(editsOf(entry, { step: [...step], path: entryPath }, { text, attachments }));
  const { transform } = sortable;
  return (
    <li
      ref={sortable.setNodeRef}
      className={styles.entry}
      aria-label={name}
      data-path={shown(entryPath)}
      style={transform === null ? undefined : { transform: `translateY(${transform.y}px)` }}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        event.stopPropagation();
        const focus = event.target instanceof HTMLButtonElement ? 'handle' : 'text';
        // Unsaved typing is written to the entry's current position.
        event.currentTarget.querySelector('button')?.focus();
        void move(index, index + (event.key === 'ArrowUp' ? -1 : 1), focus);
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
          onClick={() => void edit([{ kind: 'list.remove', step: [...step], path: [...path], at: index }])}
        />
      </div>
      <TextField
        label={name}
        path={isMap(entry) ? [...entryPath, 'text'] : entryPath}
        at={entryPath}
        textOf={textOf}
        long
        disabled={disabled}
        problem={problem?.message}
        edits={(text) => editsOf(entry, { step: [...step], path: entryPath }, { text, attachments: files })}
      />
      {problem && <FieldError>{problem.message}</FieldError>}
      <Files
        label={`Attach files to ${name.toLowerCase()}`}
        paths={files}
        disabled={disabled}
        onAdd={(fresh) => set(textOf(entry), [...files, ...fresh])}
        onRemove={(one) =>
          void set(
            textOf(entry),
            files.filter((file) => file !== one),
          )
        }
      />
    </li>
  );
}
