import { fileDrop } from '@renderer/client/files/file-drop';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { Attached, pickFiles } from '@renderer/parts/controls/attached';
import { Button } from '@renderer/ui/controls/button';
import { FieldError } from '@renderer/ui/controls/field';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import type { ValuePath } from '../../../../contract/edit';
import { CopyQuestion } from '../copy-question';
import { useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import { listName } from './fields';
import { pathInProject } from './project-path';

interface FilesProps {
  readonly label: string;
  readonly paths: readonly string[];
  readonly disabled: boolean;
  readonly onAdd: (paths: readonly string[]) => Promise<unknown>;
  readonly onRemove: (path: string) => void;
}

/** Files of the project that are sent with a prompt: from a dialog, or dropped here. */
export function Files({ label, paths, disabled, onAdd, onRemove }: FilesProps) {
  const { projectId } = useStepForm();
  const root = (useQuery('project.list', {}).value ?? []).find(({ id }) => id === projectId)?.path;
  const [over, setOver] = useState(false);
  /** Files from outside, until the operator decides whether they are copied. */
  const [outside, setOutside] = useState<readonly string[]>([]);
  const add = async (picked: readonly string[]) => {
    if (root === undefined || disabled) return;
    const elsewhere = picked.filter((path) => pathInProject(root, path) === null);
    // Written before the question is asked: its answer adds to what is attached then.
    await attach(picked.flatMap((path) => pathInProject(root, path) ?? []));
    if (elsewhere.length > 0) setOutside(elsewhere);
  };
  const attach = async (inside: readonly string[]) => {
    const fresh = inside.filter((path) => !paths.includes(path));
    if (fresh.length > 0) await onAdd(fresh);
  };
  const copyIn = async () => {
    setOutside([]);
    const copied = await Promise.all(
      outside.map((path) => attempt(call('workflow.attach', { projectId, path }))),
    );
    await attach(copied.flatMap((one) => one?.file ?? []));
  };
  return (
    <div
      className={`${styles.files} ${over ? styles.over : ''}`}
      {...fileDrop({ attach: (picked) => void add(picked), over: setOver })}
    >
      <Attached paths={paths} onRemove={onRemove} />
      <Button
        tone="ghost"
        icon={Paperclip}
        disabled={disabled}
        aria-label={label}
        onClick={() => void pickFiles().then(add)}
      >
        Attach files
      </Button>
      {outside.length > 0 && (
        <CopyQuestion paths={outside} onCopy={() => void copyIn()} onClose={() => setOutside([])} />
      )}
    </div>
  );
}

export function FilesField({ label, path }: { readonly label: string; readonly path: ValuePath }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const value = valueAt(path);
  const paths = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  const place = { step: [...step], path: [...path] };
  const problem = [...problemsAt(path), ...paths.flatMap((_, at) => problemsAt([...path, at]))][0];
  return (
    <section className={styles.list} aria-label={listName(label, path)}>
      <h3>{label}</h3>
      {problem && <FieldError>{problem.message}</FieldError>}
      <Files
        label={'Attach files to the instruction'}
        paths={paths}
        disabled={disabled}
        onAdd={(fresh) =>
          edit(
            fresh.map((one, index) => ({
              kind: 'list.insert',
              ...place,
              at: paths.length + index,
              value: one,
            })),
          )
        }
        onRemove={(one) => void edit([{ kind: 'list.remove', ...place, at: paths.indexOf(one) }])}
      />
    </section>
  );
}
