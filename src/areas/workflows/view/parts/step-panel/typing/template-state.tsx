import { call } from '@renderer/client/rpc';
import { TYPING_SETTLED_MS } from '@renderer/limits';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { FieldError } from '@renderer/ui/controls/field';
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ValuePath } from '../../../../contract/edit';
import type { TemplateKind, TemplatePreview } from '../../../../contract/template-help';
import { useStepForm } from '../form-context';
import styles from '../step-panel.module.css';

/** The preview of the text `of`. */
type CheckedTemplate = TemplatePreview & { readonly of: string };

/** The references and the preview of a template, as it is being written. */
export function useTemplate(path: ValuePath | null, text: string): CheckedTemplate | null {
  const { projectId, file, fileText, step } = useStepForm();
  const [checked, setChecked] = useState<CheckedTemplate | null>(null);
  const place = path === null || (!text.includes('$') && checked === null) ? null : JSON.stringify(path);
  const owner = step.join('/');
  useEffect(() => {
    if (place === null) return;
    let live = true;
    const timer = setTimeout(async () => {
      const request = {
        projectId,
        file,
        text: fileText,
        step: owner.split('/'),
        path: JSON.parse(place),
        draft: text,
      };
      const made = await call('workflow.preview', request);
      if (live && made.ok) setChecked({ ...made.value, of: text });
    }, TYPING_SETTLED_MS);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, [place, projectId, file, fileText, owner, text]);
  return checked;
}

interface StateProps {
  readonly label: string;
  readonly kind: TemplateKind;
  readonly checked: CheckedTemplate | null;
  readonly text: string;
  /** The problem already reported on it. */
  readonly problem: string | undefined;
}

/** The problem of the current text, and its preview. */
export function TemplateState({ label, kind, checked, text, problem = '' }: StateProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (checked === null || !text.includes('$')) return null;
  const wrong = checked.problems.filter(({ message }) => !problem.endsWith(message));
  return (
    <>
      {wrong.length > 0 && (
        <ul className={styles.wrong} aria-label={`Problems of ${label}`}>
          {wrong.map(({ from, message, mend }) => (
            <li key={`${from} ${message}`}>
              {message}
              {mend !== undefined && <span className="quiet"> {mend}</span>}
            </li>
          ))}
        </ul>
      )}
      <Button
        tone="ghost"
        icon={open ? EyeOff : Eye}
        aria-expanded={open}
        aria-controls={id}
        aria-label={`${open ? 'Hide the preview' : 'Preview'} of ${label}`}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Hide the preview' : 'Preview'}
      </Button>
      {open && (
        <section id={id} className={styles.preview} aria-label={`Preview of ${label}`}>
          <Preview kind={kind} checked={checked} />
        </section>
      )}
    </>
  );
}

function Preview({ kind, checked }: { readonly kind: TemplateKind; readonly checked: CheckedTemplate }) {
  const { text, error, env, run, samples } = checked;
  const variables = Object.entries(env);
  return (
    <>
      <p className="quiet note">
        {run === null ? (
          'The workflow has not run yet. All values are samples.'
        ) : (
          <>
            With the values of the last run, <Ago at={run.startedAt} />.
            {samples.length > 0 &&
              ` It has no value for ${samples.join(', ')}: ${samples.length === 1 ? 'a sample is' : 'samples are'} shown.`}
          </>
        )}
      </p>
      {error !== null && <FieldError>{error.message}</FieldError>}
      {text !== null && kind === 'condition' && (
        <p>
          {text === 'true'
            ? 'The step runs.'
            : text === 'false'
              ? 'The step is skipped.'
              : 'The step always runs.'}
        </p>
      )}
      {text !== null && kind !== 'condition' && <pre className={styles.text}>{text}</pre>}
      {variables.length > 0 && (
        <dl className={styles.values} aria-label="Values the script reads">
          {variables.map(([name, value]) => (
            <div key={name}>
              <dt className="mono">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
