import { ownValue, setOwnValue } from '@contract/own';
import type { InputDefinition } from '../../contract/definition';
import { type InputProblem, readInputs } from '../../contract/input-values';

type Inputs = Readonly<Record<string, InputDefinition>>;
type Texts = Readonly<Record<string, string>>;

export interface InputField {
  readonly name: string;
  readonly input: InputDefinition;
  /** The content of the control: the typed text, otherwise the default. */
  readonly value: string;
  /** The error of the value; a missing value is reported only once the operator wants to start. */
  readonly error: string | null;
}

interface InputForm {
  readonly fields: readonly InputField[];
  /** The values for `run.start`; an untouched field leaves its default to the core. */
  readonly given: Record<string, string>;
  readonly valid: boolean;
}

/** The form of a workflow's inputs. `asked`: the operator has pressed Run. */
export function inputForm(inputs: Inputs, written: Texts, submitted: boolean): InputForm {
  const given: Record<string, string> = {};
  for (const [name, input] of Object.entries(inputs)) {
    const text = ownValue(written, name);
    const empty = text === '' && (input.type !== 'string' || input.default === undefined);
    if (text !== undefined && !empty) setOwnValue(given, name, text);
  }
  const { problems } = readInputs({ inputs }, given);
  const fields = Object.entries(inputs).map(([name, input]) => {
    const problem = problems.find((one) => one.name === name);
    const value = ownValue(written, name) ?? String(input.default ?? '');
    return { name, input, value, error: problem ? wordsOf(problem, input, submitted) : null };
  });
  return { fields, given, valid: problems.length === 0 };
}

function wordsOf({ kind }: InputProblem, { type }: InputDefinition, submitted: boolean): string | null {
  if (kind === 'missing') return submitted ? 'Needs a value' : null;
  return type === 'number' ? 'Not a number' : 'Choose yes or no';
}

/** The texts of a draft; empty if it is invalid. */
export function writtenInputs(draft: string): Record<string, string> {
  const texts: Record<string, string> = {};
  try {
    for (const [name, text] of Object.entries(JSON.parse(draft) as object))
      if (typeof text === 'string') setOwnValue(texts, name, text);
  } catch {
    return texts;
  }
  return texts;
}

/** The draft with another text in one field. A field with its default is untouched. */
export function draftWith(draft: string, { name, input }: Omit<InputField, 'value' | 'error'>, text: string) {
  const { [name]: _, ...others } = writtenInputs(draft);
  if (text !== String(input.default ?? '')) setOwnValue(others, name, text);
  return Object.keys(others).length === 0 ? '' : JSON.stringify(others);
}
