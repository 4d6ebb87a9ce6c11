import type { ValuePath } from '@contract/workflow/edit';
import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { fileDrop } from '../../client/file-drop';
import { useQuery } from '../../client/hooks';
import { complain } from '../../client/toasts';
import { Button } from '../../ui/button';
import { Attached, pickFiles } from '../attached';
import { useStepForm } from './form-context';
import { pathInProject } from './project-path';
import styles from './step-panel.module.css';

interface FilesProps {
  readonly label: string;
  readonly paths: readonly string[];
  readonly disabled: boolean;
  readonly onAdd: (paths: readonly string[]) => void;
  readonly onRemove: (path: string) => void;
}

/** Files of the project that go with a prompt: from a dialog, or dropped here. */
export function Files({ label, paths, disabled, onAdd, onRemove }: FilesProps) {
  const { projectId } = useStepForm();
  const root = (useQuery('project.list', {}).value ?? []).find(({ id }) => id === projectId)?.path;
  const [over, setOver] = useState(false);
  const add = (picked: readonly string[]) => {
    if (root === undefined || disabled) return;
    const inside = picked.map((path) => pathInProject(root, path));
    if (inside.includes(null))
      complain({
        ...{ code: 'input.invalid', message: 'Only files of the project can be attached.' },
        mend: `Copy the file into ${root} first.`,
      });
    const fresh = inside.filter((path) => path !== null).filter((path) => !paths.includes(path));
    if (fresh.length > 0) onAdd(fresh);
  };
  return (
    <div
      className={`${styles.files} ${over ? styles.over : ''}`}
      {...fileDrop({ attach: add, over: setOver })}
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
    <section className={styles.list} aria-label={label}>
      <h3>{label}</h3>
      {problem && <p className="field-error">{problem.message}</p>}
      <Files
        {...{ label: 'Attach files to the instruction', paths, disabled }}
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
        onRemove={(one) => edit([{ kind: 'list.remove', ...place, at: paths.indexOf(one) }])}
      />
    </section>
  );
}
