import { Field, Segments, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import type { ReactNode } from 'react';
import type { LoopDraft } from './form';

interface Agent {
  readonly id: string;
  readonly name: string;
}

interface FieldsProps {
  readonly draft: LoopDraft;
  readonly onChange: (change: Partial<LoopDraft>) => void;
}

/** The plan's location and the loop's workspace. `branch`: the default branch. */
export function Place({ draft, branch, onChange: set }: FieldsProps & { readonly branch: string }) {
  return (
    <>
      <Field label="Folder" hint="The folder with prd.json, progress.txt and logs/, relative to the project.">
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.folder}
            onChange={(event) => set({ folder: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Works in"
        hint={
          draft.workspace === 'worktree'
            ? 'Its own checkout, beside yours, with the committed files.'
            : 'Your own checkout. The loop switches its branch, and workers change your files.'
        }
      >
        {() => (
          <Segments
            label="Works in"
            value={draft.workspace}
            options={[
              { value: 'worktree', label: 'A worktree' },
              { value: 'project', label: 'The project itself' },
            ]}
            onChange={(workspace) => set({ workspace })}
          />
        )}
      </Field>
      <Field label="Branch" hint="Empty: the branch named in prd.json.">
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            value={draft.branch}
            placeholder={branch}
            onChange={(event) => set({ branch: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

type NumberName = 'iterations' | 'minutes' | 'attemptMinutes' | 'stallAfter' | 'tokens' | 'dollars';

/** Another agent and model for the retry of an iteration. */
export function Retry({ draft, agents, onChange: set }: FieldsProps & { readonly agents: readonly Agent[] }) {
  return (
    <>
      <Field label="Retry worker" hint="Makes the second attempt after a failed iteration.">
        {(ids) => (
          <Select
            {...ids}
            value={draft.retryWorker}
            onChange={(event) => set({ retryWorker: event.target.value })}
          >
            <option value="">the same worker</option>
            {draft.retryWorker !== '' && agents.every(({ id }) => id !== draft.retryWorker) && (
              <option value={draft.retryWorker}>a removed agent</option>
            )}
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Retry model" hint="Empty: the model of the retry worker.">
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.retryModel}
            onChange={(event) => set({ retryModel: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Limits of time and iterations, and less common settings. */
export function Limits({ draft, children, onChange: set }: FieldsProps & { readonly children: ReactNode }) {
  const number = (name: NumberName) => ({
    className: 'short',
    inputMode: 'numeric' as const,
    value: draft[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <>
      <Field label="Iterations" hint="Maximum iterations (retries don’t count).">
        {(ids) => <TextInput {...ids} {...number('iterations')} />}
      </Field>
      <Field
        label="Check"
        hint="A command such as npm test. Muster runs it after each attempt; a story is done only if it succeeds."
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            value={draft.verify}
            onChange={(event) => set({ verify: event.target.value })}
          />
        )}
      </Field>
      <Fold head={<span>Limits, model and prompt</span>} className="loop-more">
        <Field label="Minutes" hint="After this time the loop asks you before it continues. Empty: no limit.">
          {(ids) => <TextInput {...ids} {...number('minutes')} />}
        </Field>
        <Field label="Minutes per attempt" hint="An attempt that takes longer is ended. Empty: no limit.">
          {(ids) => <TextInput {...ids} {...number('attemptMinutes')} />}
        </Field>
        <Field
          label="No progress after"
          hint="After this many iterations in a row without a finished story, the loop asks you."
        >
          {(ids) => <TextInput {...ids} {...number('stallAfter')} />}
        </Field>
        <Field
          label="Token budget"
          hint="For all attempts together; at the limit the loop asks you. Empty: no limit."
        >
          {(ids) => <TextInput {...ids} {...number('tokens')} />}
        </Field>
        <Field
          label="Cost budget ($)"
          hint="For all attempts together, if the worker reports its cost. Codex does not."
        >
          {(ids) => <TextInput {...ids} {...number('dollars')} />}
        </Field>
        <Field label="Model" hint="Empty: the model of the worker’s profile.">
          {(ids) => (
            <TextInput
              {...ids}
              value={draft.model}
              onChange={(event) => set({ model: event.target.value })}
            />
          )}
        </Field>
        {children}
        <Field label="Prompt" hint="Empty: Muster’s own text for workers, shown in Prompts.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={4}
              value={draft.prompt}
              onChange={(event) => set({ prompt: event.target.value })}
            />
          )}
        </Field>
      </Fold>
    </>
  );
}
