import type { ValuePath } from '@contract/workflow/edit';
import { lazy, type ReactNode, Suspense } from 'react';
import { Button } from '../../ui/button';
import { TextInput } from '../../ui/field';
import { Note } from '../../ui/note';
import { placeOfForm, useStepForm } from './form-context';
import styles from './step-panel.module.css';
import { optionsOf, templateAt } from './template-options';
import { TemplateState, useTemplate } from './template-state';
import type { Committed, Typing } from './typing';
import { useTyping } from './use-typing';

/** With its packages, which are read only once a step is opened. */
const Editor = lazy(async () => ({
  default: (await import('../../yaml-editor/template-editor')).TemplateEditor,
}));

interface TextFieldProps {
  readonly id?: string;
  readonly label: string;
  /** Its place in the step. */
  readonly path: ValuePath;
  readonly value: string;
  readonly long: boolean;
  readonly required?: boolean;
  readonly disabled: boolean;
  /** What is wrong with it in the file. */
  readonly problem?: string | undefined;
  readonly placeholder?: string | undefined;
  /** It is shown in the font of code. */
  readonly code?: boolean;
  /** It is written only when the field is left: a part of it means something else. */
  readonly whole?: boolean;
  readonly onCommit: (text: string) => Promise<Committed>;
}

/** A text that is written to the file after a pause, and at once when the field is left. */
export function TextField(props: TextFieldProps) {
  const { id, label, path, value, long, disabled, problem, placeholder, whole = false, onCommit } = props;
  const form = useStepForm();
  const place = `${placeOfForm(form)}/${JSON.stringify(path)}`;
  const typing = useTyping(place, { value, whole, commit: onCommit });
  const template = templateAt(form.help, path);
  if (template !== null || long)
    return (
      <WithChoice typing={typing}>
        <TemplateField {...{ ...props, typing, template }} />
      </WithChoice>
    );
  return (
    <WithChoice typing={typing}>
      <TextInput
        {...(id === undefined ? { 'aria-label': label } : { id })}
        {...{ value: typing.text, disabled, placeholder, 'aria-invalid': problem !== undefined }}
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
  const told = useTemplate(template === null ? null : path, text);
  return (
    <>
      <Suspense fallback={<div className={styles.editor} aria-busy="true" />}>
        <Editor
          className={styles.editor ?? ''}
          label={required ? `${label} (required)` : label}
          {...{ text, disabled, placeholder: placeholder ?? '', lines: long }}
          code={code || template?.kind === 'script' || template?.kind === 'condition'}
          problem={problem ?? told?.problems.map(({ message }) => message).join('\n') ?? ''}
          marks={told}
          options={template === null ? [] : optionsOf(template)}
          onChange={(fresh) => typing.type(fresh)}
          onLeave={() => typing.leave()}
        />
      </Suspense>
      {template !== null && <TemplateState {...{ label, told, text, problem, kind: template.kind }} />}
    </>
  );
}

/** A text from before the page was loaded again, where the file has another one now. */
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
              <Button onClick={() => typing.drop()}>Take the file</Button>
              <Button tone="primary" onClick={() => void typing.write()}>
                Write my text
              </Button>
            </>
          }
        >
          The file has another text here since you wrote this one. Yours is not written yet.
        </Note>
      )}
    </>
  );
}
