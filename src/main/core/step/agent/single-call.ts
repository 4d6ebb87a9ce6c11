import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import type { PortSpec } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import type { AppError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { AgentRef, FinishDecision, TurnDecision } from '../decision';
import type { ActivationView, GraphContext, ModuleProblem } from '../module';
import { bundleText, makeBundle } from '../output/bundle';
import { problemAt } from '../problem-at';
import { agentShape } from './agent';

/**
 * Settings shared by steps that process a text with a single call: they take no re-prompts (seed 000 section
 * 8).
 */
export const singleCallShape = {
  ...agentShape,
  /** The input text; default: `data_in`. */
  input: requiredText().optional(),
};

export const SINGLE_CALL_INPUTS: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle', description: 'The text to work on' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
export const SINGLE_CALL_OUTPUTS: readonly PortSpec[] = [
  { name: 'data_out', label: 'Output', kind: 'bundle' },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

type View = ActivationView<unknown>;

/** A port's texts, in cable order. */
export const textsOn = (view: View, port: 'data_in' | 'context_in'): string =>
  (view.inputs[port] ?? []).map(bundleText).join('\n\n');

export const inputText = (view: ActivationView<{ readonly input?: string | undefined }>): string =>
  view.config.input ?? textsOn(view, 'data_in');

/** Between delimiter lines that do not occur in the text, so that the text cannot end early. */
export function quoted(text: string): string {
  const longest = Math.max(3, ...[...text.matchAll(/^~+/gm)].map(([mark]) => mark.length + 1));
  const mark = '~'.repeat(longest);
  return `${mark}\n${text}\n${mark}`;
}

export function validateInput(
  { input }: { readonly input?: string | undefined },
  graph: GraphContext,
): ModuleProblem[] {
  if (input !== undefined || graph.sessionsOf('data_in').length > 0) return [];
  return [problemAt('input', 'there is no input', 'connect data_in, or set input to a reference')];
}

/** A turn in the step's own session. */
export const ownTurn = (
  turn: Pick<TurnDecision, 'prompt' | 'ordinal' | 'of'> & {
    readonly agent: AgentRef;
    readonly turn?: TurnDecision['turn'];
    readonly lane?: string;
    readonly label?: string;
  },
): TurnDecision => ({
  kind: 'turn',
  turn: 'primary',
  session: { kind: 'own' },
  attachments: [],
  progress: [],
  ...turn,
});

/** Ends a step with a single output. An error keeps the result, and fires nothing. */
export function ended(
  view: View,
  made: {
    readonly content: Json;
    readonly kind: EvidenceKind;
    readonly receipt?: Readonly<Record<string, Json>>;
    readonly warnings?: readonly string[];
    readonly error?: AppError;
    readonly more?: Readonly<Record<string, Json>>;
  },
): FinishDecision {
  const origin = { stepId: view.stepId, activationId: view.activationId, sessionKey: null };
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    prompts_sent: view.promptsSent,
    ...made.receipt,
  };
  const outputs = {
    data_out: makeBundle(made.content, { ...origin, port: 'data_out', kind: made.kind }),
    ...Object.fromEntries(
      Object.entries(made.more ?? {}).map(([port, content]) => [
        port,
        makeBundle(content, { ...origin, port, kind: 'json' }),
      ]),
    ),
    receipt_out: makeBundle(receipt, { ...origin, port: 'receipt_out', kind: 'json' }),
  };
  const { error = null, warnings = [] } = made;
  return {
    kind: 'finish',
    outcome: error === null ? 'succeeded' : 'failed',
    outputs,
    receipt,
    warnings,
    error,
    signals: error === null ? [...Object.keys(outputs), 'signal_out'] : [],
  };
}
