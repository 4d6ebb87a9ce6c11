import { Field, Segments, Select, TextArea, TextInput } from '@renderer/ui/field';
import { Fold } from '@renderer/ui/fold';
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

/** Where the plan is and where the loop works. `branch`: what counts where none is written. */
export function Place({ draft, branch, onChange: set }: FieldsProps & { readonly branch: string }) {
  return (
    <>
      <Field label="Folder" hint="Where prd.json, progress.txt and logs/ are, relative to the project.">
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
            ? 'A checkout of its own, beside yours. It has what is committed.'
            : 'Your own checkout: the branch is switched there, and workers change your files.'
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
      <Field label="Branch" hint="Empty: the one that prd.json names.">
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

/** Another agent and another model for the second try of an iteration. */
export function Retry({ draft, agents, onChange: set }: FieldsProps & { readonly agents: readonly Agent[] }) {
  return (
    <>
      <Field label="Retry worker" hint="Makes the second try of an iteration that failed.">
        {(ids) => (
          <Select
            {...ids}
            value={draft.retryWorker}
            onChange={(event) => set({ retryWorker: event.target.value })}
          >
            <option value="">the same worker</option>
            {draft.retryWorker !== '' && agents.every(({ id }) => id !== draft.retryWorker) && (
              <option value={draft.retryWorker}>an agent that is gone</option>
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

/** How long and how often, and what differs from what is usual. */
export function Limits({ draft, children, onChange: set }: FieldsProps & { readonly children: ReactNode }) {
  const number = (name: NumberName) => ({
    ...{ className: 'short', inputMode: 'numeric' as const, value: draft[name] },
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
        <Field label="Minutes" hint="After so many the loop asks you before it goes on. Empty: no limit.">
          {(ids) => <TextInput {...ids} {...number('minutes')} />}
        </Field>
        <Field label="Minutes an attempt" hint="After so many an attempt is ended. Empty: no limit.">
          {(ids) => <TextInput {...ids} {...number('attemptMinutes')} />}
        </Field>
        <Field
          label="No progress after"
          hint="So many iterations in a row without an end of their story, and it asks."
        >
          {(ids) => <TextInput {...ids} {...number('stallAfter')} />}
        </Field>
        <Field label="Tokens" hint="Of all attempts together; then it asks. Empty: no limit.">
          {(ids) => <TextInput {...ids} {...number('tokens')} />}
        </Field>
        <Field label="Dollars" hint="The same, where the worker tells what it costs. Codex does not.">
          {(ids) => <TextInput {...ids} {...number('dollars')} />}
        </Field>
        <Field label="Model" hint="Empty: the one of the worker’s profile.">
          {(ids) => (
            <TextInput
              {...ids}
              value={draft.model}
              onChange={(event) => set({ model: event.target.value })}
            />
          )}
        </Field>
        {children}
        <Field label="Prompt" hint="Empty: Muster’s own text for workers, which Prompts shows.">
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
