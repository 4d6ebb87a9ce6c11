import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import type { AppError } from '@contract/errors';
import { useDraft, useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { refresh } from '@renderer/client/wire/query';
import { sendCaps } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Check, Field, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Eye, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { PullPreview } from '../../contract/pull';
import styles from './pull.module.css';
import { keptDraft, type PullDraft, textOfDraft } from './pull-draft';
import { PullSend } from './pull-send';

/** Opens the pull request of a run's result: what is proposed can be changed, and is shown before it is sent. */
export function PullForm({ runId }: { readonly runId: number }) {
  const { value, error } = useQuery('pull.preview', { runId });
  if (value === null && error !== null)
    return (
      <>
        <ErrorNote error={error} />
        <div className={styles.acts}>
          <Button icon={RotateCw} onClick={() => void refresh('pull.preview')}>
            Look again
          </Button>
        </div>
      </>
    );
  if (value === null) return <p className="quiet">Reading the repository</p>;
  return <Form runId={runId} proposed={value} />;
}

function Form({ runId, proposed }: { readonly runId: number; readonly proposed: PullPreview }) {
  const [kept, keep] = useDraft(`pull/${runId}`);
  const [shown, setShown] = useState<PullPreview | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [reading, setReading] = useState(false);
  const draft = keptDraft(kept, proposed);
  const { text, wrong } = textOfDraft(draft);
  const change = (part: Partial<PullDraft>) => keep(JSON.stringify({ ...draft, ...part }));
  const show = async () => {
    if (text === null || reading) return;
    setReading(true);
    setError(null);
    const preview = await call('pull.preview', { runId, text });
    setReading(false);
    if (preview.ok) setShown(preview.value);
    else setError(preview.error);
  };
  if (shown !== null)
    return <PullSend preview={shown} onBack={() => setShown(null)} onSent={() => keep('')} />;
  return (
    <section aria-label="New pull request" onKeyDown={(event) => onFormKey(event, () => void show(), leave)}>
      <Fields draft={draft} wrong={wrong} change={change} />
      {error && <ErrorNote error={error} live />}
      <div className={styles.acts}>
        <Button
          tone="primary"
          icon={Eye}
          caps={sendCaps}
          disabled={text === null || reading}
          onClick={() => void show()}
        >
          {reading ? 'Reading' : 'Show what is sent'}
        </Button>
      </div>
    </section>
  );
}

const leave = (): void => {
  document.querySelector<HTMLElement>('[data-part="column-side"] [data-focus]')?.focus();
};

interface FieldsProps {
  readonly draft: PullDraft;
  /** The field that keeps it from being sent. */
  readonly wrong: string | null;
  readonly change: (part: Partial<PullDraft>) => void;
}

function Fields({ draft, wrong, change }: FieldsProps) {
  return (
    <>
      <Field label="Title" error={wrong === 'title' ? 'write one to 256 characters' : null}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.title}
            onChange={(event) => change({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Text" error={wrong === 'body' ? 'it is too long' : null}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={6}
            value={draft.body}
            onChange={(event) => change({ body: event.target.value })}
          />
        )}
      </Field>
      <Field label="Into" error={wrong === 'base' ? 'name a branch' : null}>
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            value={draft.base}
            onChange={(event) => change({ base: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Reviewers"
        hint="Names, with commas between them."
        error={wrong === 'reviewers' ? 'name at most 15' : null}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.reviewers}
            onChange={(event) => change({ reviewers: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Labels"
        hint="Names, with commas between them."
        error={wrong === 'labels' ? 'name at most 50' : null}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.labels}
            onChange={(event) => change({ labels: event.target.value })}
          />
        )}
      </Field>
      <Field label="Draft">
        {(ids) => (
          <Check
            {...ids}
            checked={draft.draft === 'yes'}
            onChange={(event) => change({ draft: event.target.checked ? 'yes' : '' })}
          >
            Not ready for a review yet
          </Check>
        )}
      </Field>
    </>
  );
}
