import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import type { RunRow } from '@contract/run/procedures';
import { stepTitle } from '@contract/run/scope/path';
import type { RunState } from '@contract/run/state';
import { useDraft, useStart } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { closeFirst, Question } from '@renderer/ui/controls/dialog';
import { Field, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { useState } from 'react';

interface RunAgainProps {
  readonly row: RunRow;
  readonly state: RunState;
  readonly onClose: () => void;
}

/** The default step to run again: the first that failed, otherwise the first. */
function likelyStep({ definition, steps, activations }: RunState): string {
  const last = (id: string) => activations[ownValue(steps, id)?.activationIds.at(-1) ?? 0];
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
  /** Configurations as raw text, by the ids of their steps. */
  readonly configs: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** The input of the form, saved until the run is started. */
function useWish(runId: number, step: string) {
  const [kept, keep] = useDraft(`run-again/${runId}`);
  const wish = readWish(kept, step);
  const write = (change: Partial<Wish>) => keep(JSON.stringify({ ...wish, ...change }));
  return { wish, write, forget: () => keep('') };
}

function readWish(kept: string, step: string): Wish {
  const blank = { step, edited: {}, configs: {}, values: {} };
  try {
    return { ...blank, ...(JSON.parse(kept) as Partial<Wish>) };
  } catch {
    return blank;
  }
}

/** Starts a new run at one step of this run, with the instruction and inputs as edited here. */
export function RunAgain({ row, state, onClose }: RunAgainProps) {
  const { wish, write, forget } = useWish(row.id, likelyStep(state));
  const { step, edited, configs, values } = wish;
  const [error, setError] = useState<AppError | null>(null);
  const begin = useStart(JSON.stringify([row.id, step, edited, configs, values]));
  const config = state.definition.steps.find(({ id }) => id === step)?.config ?? {};
  const frozen = typeof config.instruction === 'string' ? config.instruction : null;
  const instruction = ownValue(edited, step) ?? frozen;
  // The instruction has a field of its own.
  const { instruction: _, ...rest } = config;
  const written = ownValue(configs, step) ?? JSON.stringify(rest, null, 2);
  const changes = changesOf(rest, written);
  const start = async () => {
    if (changes === null) return;
    const changed = instruction !== null && instruction !== frozen ? { instruction } : {};
    const request = { runId: row.id, step, ...changed, config: changes, inputs: { ...values } };
    const begun = await begin((uid) => call('run.again', { uid, ...request }));
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
      <Button
        tone="primary"
        disabled={instruction?.trim() === '' || changes === null}
        onClick={() => void start()}
      >
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
        <ChosenStep
          state={state}
          value={step}
          onChange={(id) => {
            write({ step: id });
            setError(null);
          }}
        />
        {instruction !== null && (
          <Instruction
            text={instruction}
            onChange={(text) => write({ edited: { ...edited, [step]: text } })}
          />
        )}
        <Inputs
          given={state.references.inputs}
          values={values}
          onChange={(name, value) => write({ values: { ...values, [name]: value } })}
        />
        <Configuration
          text={written}
          wrong={changes === null}
          onChange={(text) => write({ configs: { ...configs, [step]: text } })}
        />
      </form>
      {error && <ErrorNote error={error} />}
    </Question>
  );
}

interface InstructionProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

const Instruction = ({ text, onChange }: InstructionProps) => (
  <Field label="Instruction" hint="For this run only. The workflow file stays as it is.">
    {(ids) => <TextArea {...ids} rows={6} value={text} onChange={(event) => onChange(event.target.value)} />}
  </Field>
);

interface ChosenStepProps {
  readonly state: RunState;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const ChosenStep = ({ state, value, onChange }: ChosenStepProps) => (
  <Field label="Step" hint="Earlier steps are not run again; their results come from this run.">
    {(ids) => (
      <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
        {state.definition.steps.map(({ id }) => (
          <option key={id} value={id}>
            {stepTitle(state, id)}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

interface InputsProps {
  readonly given: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

const Inputs = ({ given, values, onChange }: InputsProps) =>
  Object.entries(given).map(([name, value]) => (
    <Field key={name} label={name} hint="Input of the workflow">
      {(ids) => (
        <TextInput
          {...ids}
          value={ownValue(values, name) ?? value}
          onChange={(event) => onChange(name, event.target.value)}
        />
      )}
    </Field>
  ));

interface ConfigurationProps {
  readonly text: string;
  readonly wrong: boolean;
  readonly onChange: (text: string) => void;
}

const Configuration = ({ text, wrong, onChange }: ConfigurationProps) => (
  <Fold head="Configuration">
    <Field
      label="Configuration as JSON"
      hint="For this run only. A key that you leave out keeps its value."
      error={wrong ? 'This is not a JSON object.' : undefined}
    >
      {(ids) => (
        <TextArea
          {...ids}
          rows={8}
          className="mono"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  </Fold>
);

/** The changes of the text in a configuration; null if it is no JSON object. */
function changesOf(config: Readonly<Record<string, unknown>>, text: string): Record<string, Json> | null {
  try {
    const written: unknown = JSON.parse(text);
    if (typeof written !== 'object' || written === null || Array.isArray(written)) return null;
    const changed = Object.entries(written).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(ownValue(config, key)),
    );
    return Object.fromEntries(changed) as Record<string, Json>;
  } catch {
    return null;
  }
}

/** Links to the original of the run, and to the runs started from it. */
export function AgainLinks({ state }: { state: RunState }) {
  const { again, againAs = [] } = state;
  return (
    <>
      {again && (
        <span>
          started at {stepTitle(state, again.step)} of <a href={hashOf('run', again.uid)}>an earlier run</a>
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
