import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import { summaryLines } from '@areas/feed/contract/summary';
import { formatUpdate, type Update } from '@areas/feed/contract/update';
import type { GateOption } from '@areas/gates/contract/gate';
import type { ContextBundle } from '@areas/workflows/contract/definition';
import { type AppError, appError } from '@contract/errors';
import type { RunEvent } from '@contract/run/events';
import { type DurableKey, keyText } from '@contract/run/keys';
import type {
  CommandDecision,
  FinishDecision,
  GateDecision,
  ScopeDecision,
  StepDecisions,
} from '@main/core/step/decision';
import { jsonObject } from '@main/core/step/json';
import type { ActivationView } from '@main/core/step/module';
import { bundleText, checkedJson, makeBundle } from '@main/core/step/output/bundle';
import type { ScopeView } from '@main/core/step/scope';
import type { IterationConfig } from './config';
import { isSignalled, withoutSignal } from './signal';

type View = ActivationView<IterationConfig>;

/** An ended pass, with its output without signals. */
interface Pass {
  readonly number: number;
  readonly bundle: ContextBundle | null;
  readonly raw: string;
  readonly output: string;
}

/** Opens a pass; at its end checks whether it was the last, asks the operator, and opens the next. */
export function decideIteration(view: View): StepDecisions {
  const number = view.scopes.opened;
  const scope = number === 0 ? null : view.scopes.at(number);
  if (scope === null) return open({ number: 1, previous: '', userInput: '' });
  if (!scope.ended) return [];
  const pass = passOf(view, number, scope);
  if (scope.outcome !== 'succeeded') return broken(view, pass, scope);
  const signal = signalOf(view, pass);
  if (typeof signal === 'object') return signal;
  const isLast = number >= mostPasses(view);
  if (!view.config.interactive) {
    if (signal) return finish(view, pass, { outcome: 'succeeded', error: null });
    return isLast ? spent(view, pass) : next(pass, '');
  }
  const gate = view.gateByKey(gateKey(number));
  if (gate?.status === 'open') return [];
  const answer = gate?.answer ?? null;
  if (answer === null) return ask(view, pass, signal);
  const userInput = answer.text?.trim() ?? '';
  if (answer.option === 'stop') return finish(view, pass, { outcome: 'rejected', error: null });
  if (answer.option === 'fail' && isLast) return spent(view, pass);
  if (answer.option === 'finish' || (signal && userInput === ''))
    return finish(view, pass, { outcome: 'succeeded', error: null });
  return next(pass, userInput);
}

/** Resuming a loop that had made all its passes allows the same number again. */
function mostPasses({ config: { max_iterations }, scopes }: View): number {
  return max_iterations * (Math.floor(scopes.beforeResume / max_iterations) + 1);
}

function passOf(view: View, number: number, scope: ScopeView): Pass {
  const bundle = scope.output();
  const raw = bundle === null ? '' : (checkedJson(bundle) ?? bundleText(bundle));
  return { number, bundle, raw, output: withoutSignal(raw, view.config.until) };
}

interface PassInput {
  readonly number: number;
  readonly previous: string;
  readonly userInput: string;
}

const open = ({ number, previous, userInput }: PassInput): ScopeDecision => ({
  kind: 'scope',
  index: number,
  values: { LOOP_PREV_OUTPUT: previous, LOOP_USER_INPUT: userInput },
  ...(number === 1 ? {} : { after: number - 1 }),
});

const next = ({ number, output }: Pass, userInput: string): ScopeDecision =>
  open({ number: number + 1, previous: output, userInput });

/**
 * Whether the pass signals the end of the loop; or a command to run first, or an error if that cannot be
 * known.
 */
function signalOf(view: View, pass: Pass): boolean | CommandDecision | FinishDecision {
  const { until, until_field, until_command } = view.config;
  if (until !== undefined && isSignalled(pass.raw, until)) return true;
  if (until_field !== undefined) {
    const value = jsonObject(pass.raw)?.field(until_field) ?? null;
    if (value?.type !== 'boolean')
      return finish(view, pass, { outcome: 'failed', error: noField(until_field, pass) });
    if (value.text === 'true') return true;
  }
  return until_command === undefined ? false : checked(view, pass, until_command);
}

const noField = (field: string, { number }: Pass): AppError =>
  appError(
    'reference.missing_field',
    `the output of pass ${number} is not a JSON object with true or false as "${field}"`,
    {
      mend: 'tell the agent to answer with such an object, or give the step an output_format',
    },
  );

function checked(view: View, pass: Pass, script: string): boolean | CommandDecision | FinishDecision {
  const about: DurableKey = ['iteration.check', pass.number];
  const ran = view.commands.findLast((one) => one.about === keyText(about));
  if (ran === undefined) {
    const env = { LOOP_PREV_OUTPUT: pass.output, ARGUMENTS: view.arguments };
    return { kind: 'command', script, terminal: false, env, timeoutSeconds: null, about };
  }
  if (ran.outcome === 'exited') return ran.exitCode === 0;
  if (ran.outcome === 'cancelled') return finish(view, pass, { outcome: 'cancelled', error: null });
  const error = ran.error ?? appError('command.failed', `until_command ${ran.outcome.replaceAll('_', ' ')}`);
  return finish(view, pass, { outcome: 'failed', error });
}

const gateKey = (number: number): DurableKey => ['iteration.gate', number];

function ask(view: View, pass: Pass, signal: boolean): GateDecision {
  const { gate_message } = view.config;
  const most = mostPasses(view);
  const isLast = pass.number >= most;
  const done = signal ? 'It says that the work is done.' : 'It does not say that the work is done.';
  const question = gate_message ?? (isLast ? 'Take this output?' : 'What should the next pass do?');
  return {
    kind: 'gate',
    gate: 'approval',
    title: view.title,
    options: [
      ...(isLast ? lastPassOptions(view, signal) : passOptions(signal)),
      { id: 'stop', label: 'Reject', tone: 'reject', needs: 'reason', effect: 'The run ends as rejected.' },
    ],
    about: gateKey(pass.number),
    message: `${question}\n\nPass ${pass.number}${isLast ? ', the last one,' : ` of at most ${most}`} has ended. ${done}`,
    evidence: pass.bundle === null ? null : bundlePieces({ ...pass.bundle, content: pass.output }),
  };
}

const FINISH: GateOption = {
  id: 'finish',
  label: 'Finish',
  tone: 'neutral',
  effect: 'The loop ends with this output.',
};

function passOptions(signal: boolean): GateOption[] {
  const again: GateOption = {
    id: 'again',
    label: 'One more pass',
    tone: 'neutral',
    effect: 'The next pass gets no text from you.',
  };
  return [
    {
      id: 'answer',
      label: 'Send answer',
      tone: 'approve',
      needs: 'text',
      effect: 'There is one more pass, which gets your text.',
    },
    ...(signal ? [] : [again]),
    FINISH,
  ];
}

/** No pass is left for a text of the operator. */
function lastPassOptions({ config }: View, signal: boolean): GateOption[] {
  const fail: GateOption = {
    id: 'fail',
    label: 'Fail the loop',
    tone: 'neutral',
    effect: `The run fails at this limit. Resuming it allows up to ${config.max_iterations} further passes.`,
  };
  return signal ? [FINISH] : [FINISH, fail];
}

function broken(view: View, pass: Pass, { outcome, error }: ScopeView): FinishDecision {
  if (outcome === 'rejected' || outcome === 'cancelled') return finish(view, pass, { outcome, error: null });
  return finish(view, pass, {
    outcome: 'failed',
    error: error ?? appError('step.failed', `pass ${pass.number} failed`),
  });
}

function spent(view: View, pass: Pass): FinishDecision {
  const error = appError(
    'step.max_iterations',
    `${pass.number} passes ran, the limit of max_iterations, and none finished the work`,
    {
      mend: `resume the run for up to ${view.config.max_iterations} further passes, or raise max_iterations`,
    },
  );
  return finish(view, pass, { outcome: 'failed', error });
}

function finish(view: View, pass: Pass, end: Pick<FinishDecision, 'outcome' | 'error'>): FinishDecision {
  const { stepId, activationId, attempt } = view;
  const origin = { stepId, activationId, sessionKey: pass.bundle?.source_session_key ?? null };
  const receipt = { step_id: stepId, attempt, iterations: pass.number };
  const outputs = {
    data_out: makeBundle(pass.output, { ...origin, port: 'data_out', kind: 'text' }),
    receipt_out: makeBundle(receipt, { ...origin, port: 'receipt_out', kind: 'json' }),
  };
  const signals = end.outcome === 'succeeded' ? ['data_out', 'receipt_out', 'signal_out'] : [];
  return { kind: 'finish', ...end, outputs, signals, receipt, warnings: [] };
}

/** One update for each pass. */
export function observePass(view: View, index: number | null): RunEvent[] {
  const scope = index === null ? null : view.scopes.at(index);
  if (index === null || scope === null) return [];
  const { output } = passOf(view, index, scope);
  const lines = summaryLines(scope.error?.message ?? output);
  const update: Update = {
    iteration: index,
    of: mostPasses(view),
    retry: 0,
    story: { id: view.stepId, title: view.title },
    storySource: 'step',
    result: scope.outcome === 'succeeded' ? 'completed' : scope.outcome === 'failed' ? 'failed' : 'blocked',
    commit: scope.commit(),
    summary: lines.length > 0 ? lines : ['(no text)'],
  };
  const { stepId, activationId } = view;
  return [{ type: 'update.posted', activationId, turnId: null, stepId, update, text: formatUpdate(update) }];
}
