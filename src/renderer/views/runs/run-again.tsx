import type { AppError } from '@contract/errors';
import { own } from '@contract/own';
import type { RunRow } from '@contract/run/procedures';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { useState } from 'react';
import { useDraft, useStart } from '../../client/hooks';
import { hashOf, navigate } from '../../client/route';
import { call } from '../../client/rpc';
import { ErrorNote } from '../../parts/error-note';
import { Button } from '../../ui/button';
import { closeFirst, Question } from '../../ui/dialog';
import { Field, Select, TextArea, TextInput } from '../../ui/field';

interface RunAgainProps {
  readonly row: RunRow;
  readonly state: RunState;
  readonly onClose: () => void;
}

/** The step that most likely is to be run again: the first that failed, else the first. */
function likelyStep({ definition, steps, activations }: RunState): string {
  const last = (id: string) => activations[own(steps, id)?.activationIds.at(-1) ?? 0];
  const failed = definition.steps.find(({ id }) => {
    const outcome = last(id)?.outcome ?? null;
    return outcome !== null && outcome !== 'succeeded';
  });
  return (failed ?? definition.steps[0])?.id ?? '';
}

interface Wish {
  readonly step: string;
  /** Instructions by the ids of their steps. */
  readonly edited: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** What was entered, kept until the run is started. */
function useWish(runId: number, step: string) {
  const [kept, keep] = useDraft(`run-again/${runId}`);
  const wish = readWish(kept, step);
  const write = (change: Partial<Wish>) => keep(JSON.stringify({ ...wish, ...change }));
  return { wish, write, forget: () => keep('') };
}

function readWish(kept: string, step: string): Wish {
  const blank = { step, edited: {}, values: {} };
  try {
    return { ...blank, ...(JSON.parse(kept) as Partial<Wish>) };
  } catch {
    return blank;
  }
}

/** Starts a new run at one step of this one, with its instruction and the inputs as they are edited here. */
export function RunAgain({ row, state, onClose }: RunAgainProps) {
  const { wish, write, forget } = useWish(row.id, likelyStep(state));
  const { step, edited, values } = wish;
  const [error, setError] = useState<AppError | null>(null);
  const begin = useStart(JSON.stringify([row.id, step, edited, values]));
  const config = state.definition.steps.find(({ id }) => id === step)?.config ?? {};
  const frozen = typeof config.instruction === 'string' ? config.instruction : null;
  const instruction = own(edited, step) ?? frozen;
  const start = async () => {
    const changed = instruction !== null && instruction !== frozen ? { instruction } : {};
    const asked = { runId: row.id, step, ...changed, inputs: { ...values } };
    const begun = await begin((uid) => call('run.again', { uid, ...asked }));
    if (!begun.ok) return setError(begun.error);
    forget();
    closeFirst(onClose);
    navigate(hashOf('run', begun.value.runId));
  };
  const file = state.sourceFile;
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      {error?.code === 'workspace.snapshot_gone' && file !== null && (
        <Button
          onClick={() => {
            closeFirst(onClose);
            navigate(hashOf('workflow', row.projectId, file));
          }}
        >
          Open the workflow
        </Button>
      )}
      <Button tone="primary" disabled={instruction?.trim() === ''} onClick={() => void start()}>
        Run again
      </Button>
    </>
  );
  return (
    <Question title="Run again from a step" onClose={onClose} footer={buttons}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Field label="Step" hint="Results of earlier steps are taken from this run and not paid again.">
          {(ids) => (
            <Select
              {...ids}
              value={step}
              onChange={(event) => {
                write({ step: event.target.value });
                setError(null);
              }}
            >
              {state.definition.steps.map(({ id }) => (
                <option key={id} value={id}>
                  {stepTitle(state, id)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {instruction !== null && (
          <Field label="Instruction" hint="For this run only. The workflow file stays as it is.">
            {(ids) => (
              <TextArea
                {...ids}
                rows={6}
                value={instruction}
                onChange={(event) => write({ edited: { ...edited, [step]: event.target.value } })}
              />
            )}
          </Field>
        )}
        {Object.entries(state.references?.inputs ?? {}).map(([name, value]) => (
          <Field key={name} label={name} hint="Input of the workflow">
            {(ids) => (
              <TextInput
                {...ids}
                value={own(values, name) ?? value}
                onChange={(event) => write({ values: { ...values, [name]: event.target.value } })}
              />
            )}
          </Field>
        ))}
      </form>
      {error && <ErrorNote error={error} />}
    </Question>
  );
}

/** Where the run came from, and what was begun from it. */
export function AgainLinks({ state }: { state: RunState }) {
  const { again, againAs = [] } = state;
  return (
    <>
      {again && (
        <span>
          begun at {stepTitle(state, again.step)} of <a href={hashOf('run', again.uid)}>an earlier run</a>
        </span>
      )}
      {againAs.map(({ uid, step }) => (
        <span key={uid}>
          <a href={hashOf('run', uid)}>run again from {stepTitle(state, step)}</a>
        </span>
      ))}
    </>
  );
}
