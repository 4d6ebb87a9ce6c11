import type { Json } from '@contract/ids';
import { offer } from '@renderer/client/toasts';
import { copyText } from '@renderer/parts/controls/copy';
import { Button } from '@renderer/ui/controls/button';
import { TextInput } from '@renderer/ui/controls/field';
import { Note } from '@renderer/ui/layout/note';
import { lazy, type ReactNode, Suspense } from 'react';
import { shown } from '../../../../contract/apply-edit';
import type { ValuePath, WorkflowEdit } from '../../../../contract/edit';
import { placeOfForm, useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import { optionsOf, templateAt } from '../typing/template-options';
import { TemplateState, useTemplate } from '../typing/template-state';
import type { Committed, Typing } from '../typing/typing';
import { useTyping } from '../typing/use-typing';

/** With its packages, which are loaded only once a step is opened. */
const Editor = lazy(async () => ({
  default: (await import('../../yaml-editor/template-editor')).TemplateEditor,
}));

interface TextFieldProps {
  readonly id?: string;
  /** The id of the element that describes it. */
  readonly describedBy?: string;
  readonly label: string;
  /** The path of the text in the step, which identifies its template. */
  readonly path: ValuePath;
  /** The path of the value that contains the text, if it is another one. */
  readonly at?: ValuePath;
  /** Converts the value to text; by default a string or number itself. */
  readonly textOf?: (value: Json | undefined) => string;
  readonly long: boolean;
  readonly required?: boolean;
  readonly disabled: boolean;
  /** Its problem in the file. */
  readonly problem?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Shown in the code font. */
  readonly code?: boolean;
  /** Written only when the field loses the focus, because a part of the text would mean something else. */
  readonly whole?: boolean;
  /** The constraints of a number. */
  readonly number?: {
    readonly min: number | undefined;
    readonly max: number | undefined;
    readonly step: number | 'any';
  };
  /** The edits that write a text; null if it cannot be written, and stays in its field. */
  readonly edits: (text: string) => readonly WorkflowEdit[] | null;
  /** A text that the core rejects is dropped: the text of the file is shown again. */
  readonly refusable?: boolean;
  readonly onWritten?: (text: string) => void;
}

const plainText = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * A text that is written to the file after a pause, and when the field loses the focus. A field of another
 * step or path is a new field: text typed in the previous one is written to its own path.
 */
export function TextField(props: TextFieldProps) {
  const form = useStepForm();
  const at = JSON.stringify(props.at ?? props.path);
  return <FieldAt key={at} place={`${placeOfForm(form)}/${at}`} {...props} />;
}

/** The text of a field, written only if the file still has the text that was edited. */
function useFieldTyping({ place, ...props }: TextFieldProps & { readonly place: string }): Typing {
  const { label, path, at = path, textOf = plainText, whole = false, edits, refusable = false } = props;
  const form = useStepForm();
  const current = () => textOf(form.now(at));
  const commit = async (text: string, over: string): Promise<Committed> => {
    const made = edits(text);
    if (made === null) return 'failed';
    if (made.length === 0) return 'asked';
    const group = JSON.stringify([form.step, at]);
    const done = await form.edit(made, group, () => current() === over);
    if (done === 'written') props.onWritten?.(text);
    return done === 'failed' && refusable ? 'asked' : done;
  };
  const orphaned = (text: string) =>
    offer(`Your text in “${label}” was not saved: the file has changed there.`, {
      verb: 'Copy my text',
      run: () => copyText(text),
    });
  return useTyping(place, { value: textOf(form.valueAt(at)), whole, commit, current, orphaned });
}

function FieldAt(props: TextFieldProps & { readonly place: string }) {
  const { id, describedBy, label, path, long, disabled, problem, placeholder, number } = props;
  const typing = useFieldTyping(props);
  const template = templateAt(useStepForm().help, path);
  if (number === undefined && (template !== null || long))
    return (
      <WithChoice typing={typing}>
        <TemplateField {...props} typing={typing} template={template} />
      </WithChoice>
    );
  return (
    <WithChoice typing={typing}>
      <TextInput
        {...(id === undefined ? { 'aria-label': label } : { id })}
        {...(number === undefined ? {} : { type: 'number', ...number })}
        value={typing.text}
        disabled={disabled}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={describedBy}
        data-path={shown(path)}
        onBlur={() => typing.leave()}
        onKeyDown={({ key }) => {
          if (key === 'Enter') typing.leave();
        }}
        onChange={({ target }) => typing.type(target.value)}
      />
    </WithChoice>
  );
}

interface TemplateFieldProps extends TextFieldProps {
  readonly typing: Typing;
  readonly template: ReturnType<typeof templateAt>;
}

function TemplateField({
  code = false,
  required = false,
  label,
  path,
  long,
  disabled,
  problem,
  placeholder,
  typing,
  template,
}: TemplateFieldProps) {
  const { text } = typing;
  const { wanted } = useStepForm();
  const checked = useTemplate(template === null ? null : path, text);
  const sought =
    wanted !== null && shown(wanted.path) === shown(path)
      ? checked?.problems.find(({ message }) => wanted.message.endsWith(message))
      : undefined;
  return (
    <>
      <Suspense fallback={<div className={styles.editor} aria-busy="true" />}>
        <Editor
          className={styles.editor ?? ''}
          label={required ? `${label} (required)` : label}
          text={text}
          disabled={disabled}
          placeholder={placeholder ?? ''}
          lines={long}
          code={code || template?.kind === 'script' || template?.kind === 'condition'}
          problem={problem ?? checked?.problems.map(({ message }) => message).join('\n') ?? ''}
          marks={checked}
          sought={sought === undefined ? null : { of: wanted, at: sought.from }}
          options={template === null ? [] : optionsOf(template)}
          onChange={(fresh) => typing.type(fresh)}
          onLeave={() => typing.leave()}
        />
      </Suspense>
      {template !== null && (
        <TemplateState label={label} checked={checked} text={text} problem={problem} kind={template.kind} />
      )}
    </>
  );
}

/** A typed text whose original differs from the file's current text. */
function WithChoice({ typing, children }: { readonly typing: Typing; readonly children: ReactNode }) {
  return (
    <>
      {children}
      {typing.stale && (
        <Note
          tone="waits"
          live="status"
          acts={
            <>
              <Button onClick={() => typing.drop()}>Use the file</Button>
              <Button tone="primary" onClick={() => void typing.write()}>
                Save my text
              </Button>
            </>
          }
        >
          The file now has a different text here. Yours is not saved yet.
        </Note>
      )}
    </>
  );
}
