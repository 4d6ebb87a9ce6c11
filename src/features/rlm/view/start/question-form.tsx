import { servesModels } from '@areas/agents/contract/agent-kinds';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { useDraft, useQuery, useStart } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { useDebounced, useLast } from '@renderer/parts/controls/debounced-value';
import { Button } from '@renderer/ui/controls/button';
import { Check, Field, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Play } from 'lucide-react';
import { useState } from 'react';
import {
  blankQuestion,
  missing,
  previewOf,
  type QuestionDraft,
  readDraft,
  startOf,
  unreadable,
} from './form';
import { Preview } from './preview';
import styles from './question-form.module.css';

/** The form for a question over this project's documents; drafts are kept. */
export function QuestionForm({ projectId }: { readonly projectId: number }) {
  const { value: agents } = useQuery('agent.list', { projectId });
  // Only an HTTP model answers with text alone.
  const models = agents?.map(({ profile }) => profile).filter(servesModels) ?? null;
  const [kept, keep] = useDraft(`question/new/${projectId}`);
  const draft = readDraft(kept, blankQuestion(models?.[0]?.id ?? ''));
  const set = (change: Partial<QuestionDraft>) => keep(JSON.stringify({ ...draft, ...change }));
  const wanted = useDebounced(previewOf(projectId, draft));
  const { value, error } = useQuery('rlm.preview', wanted);
  const last = useLast(value);
  const [starting, setStarting] = useState(false);
  const why = missing(draft) ?? unreadable(error, value);
  const startOnce = useStart(`${projectId} ${kept}`);
  const start = async () => {
    setStarting(true);
    const started = await startOnce((uid) =>
      attempt(call('rlm.start', { uid, ...startOf(projectId, draft) })),
    );
    setStarting(false);
    if (started === null) return;
    keep('');
    await refresh('rlm.list');
    navigate(hashOf('question', started.runId));
  };
  return (
    <form
      aria-label="A new question"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) void start();
      }}
    >
      <Field label="Question">
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            value={draft.question}
            onChange={(event) => set({ question: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Documents"
        hint="A file, a folder or a glob such as docs/**/*.md on each line. Files that git ignores are left out."
      >
        {(ids) => (
          <TextArea
            {...ids}
            className="mono"
            rows={3}
            value={draft.documents}
            onChange={(event) => set({ documents: event.target.value })}
          />
        )}
      </Field>
      <Preview preview={wanted === null ? null : last} error={error} iterations={draft.iterations} />
      <Models draft={draft} models={models} onChange={set} />
      <Limits draft={draft} onChange={set} />
      <footer className={styles.questionFormFoot}>
        <Button type="submit" icon={Play} tone="primary" disabled={why !== null || starting}>
          Ask
        </Button>
        {why !== null && <span className="quiet note">{why}</span>}
      </footer>
    </form>
  );
}

interface PartProps {
  readonly draft: QuestionDraft;
  readonly onChange: (change: Partial<QuestionDraft>) => void;
}

interface ModelsProps extends PartProps {
  /** Null while they are loaded. */
  readonly models: readonly AgentProfile[] | null;
}

function Models({ draft, models, onChange: set }: ModelsProps) {
  const options = models?.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
  const isKnown = (id: string) => models?.some((one) => one.id === id) === true;
  return (
    <>
      <Field
        label="Root model"
        hint={
          models?.length === 0 ? (
            <a href={hashOf('agents', 'new', 'gateway')}>
              Create a profile for an OpenAI- or Anthropic-compatible model first
            </a>
          ) : (
            'Writes the code that searches the documents.'
          )
        }
      >
        {(ids) => (
          <Select {...ids} value={draft.root} onChange={(event) => set({ root: event.target.value })}>
            {!isKnown(draft.root) && <option value={draft.root}>Choose a model</option>}
            {options}
          </Select>
        )}
      </Field>
      <Field label="Sub-model" hint="Answers the code’s questions about parts of the documents.">
        {(ids) => (
          <Select {...ids} value={draft.sub} onChange={(event) => set({ sub: event.target.value })}>
            <option value="">The root model</option>
            {draft.sub !== '' && !isKnown(draft.sub) && <option value={draft.sub}>A removed model</option>}
            {options}
          </Select>
        )}
      </Field>
      <Field label="Verified by" hint="Reads the cited documents and tries to refute the answer.">
        {(ids) => (
          <Select {...ids} value={draft.verify} onChange={(event) => set({ verify: event.target.value })}>
            <option value="">No model</option>
            {draft.verify !== '' && !isKnown(draft.verify) && (
              <option value={draft.verify}>A removed model</option>
            )}
            {options}
          </Select>
        )}
      </Field>
    </>
  );
}

function Limits({ draft, onChange: set }: PartProps) {
  const number = (name: 'iterations' | 'subcalls' | 'tokens') => ({
    className: 'short',
    inputMode: 'numeric' as const,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <>
      <Field
        label="Iterations"
        hint="Turns of the root model. After the last, it is asked once for its best answer."
      >
        {(ids) => <TextInput {...ids} {...number('iterations')} />}
      </Field>
      <Fold head={<span>More limits</span>}>
        <Field label="Sub-calls" hint="In total.">
          {(ids) => <TextInput {...ids} {...number('subcalls')} />}
        </Field>
        <Field
          label="Token budget"
          hint="For both models together; at the limit you are asked. Empty: no limit."
        >
          {(ids) => <TextInput {...ids} {...number('tokens')} />}
        </Field>
        <Check
          checked={draft.background === 'yes'}
          onChange={(event) => set({ background: event.target.checked ? 'yes' : '' })}
        >
          The root model may add its own knowledge. The answer marks such passages.
        </Check>
        <Check
          checked={draft.weak === 'yes'}
          onChange={(event) => set({ weak: event.target.checked ? 'yes' : '' })}
        >
          Run code even if the operating system cannot sandbox it. Then only the browser’s sandbox protects
          this machine.
        </Check>
      </Fold>
    </>
  );
}
