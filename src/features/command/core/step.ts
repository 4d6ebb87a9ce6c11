import type { ContextBundle, PortSpec } from '@areas/workflows/contract/definition';
import { outputLimitSchema, outputPart, requiredText, secondsSchema } from '@contract/bounds';
import { type AppError, appError } from '@contract/errors';
import { lazyStrictObject } from '@contract/lazy-object';
import { WHOLE_TEXT_BYTES } from '@contract/limits';
import { ownValue } from '@contract/own';
import { sizeWords } from '@contract/size-words';
import { type CutText, cutWords, isCut } from '@contract/whole-text';
import { variableName } from '@main/core/step/agent/agent';
import type { CommandDecision, FinishDecision } from '@main/core/step/decision';
import { type ActivationView, defineStep, type EndedCommand } from '@main/core/step/module';
import { bundleText, makeBundle, revisionReason } from '@main/core/step/output/bundle';
import { invalidOutput } from '@main/core/step/output/output-format';
import { z } from 'zod';

const commandConfigSchema = lazyStrictObject(() => ({
  script: requiredText('write a script'),
  /** Runs in a terminal, or through pipes. */
  terminal: z.boolean().default(true),
  env: z.record(variableName, z.string()).default({}),
  timeout_seconds: secondsSchema.nullable().default(null),
  /** `join`: standard error is part of the output. `apart`: it is shown and kept beside it. */
  stderr: z.enum(['apart', 'join']).default('apart'),
  /** The part to take of an output that is larger: `64 KiB` is its beginning, `last 64 KiB` its end. */
  output_limit: outputLimitSchema.nullable().default(null),
  /** Exit codes that count as success. */
  ok_codes: z.array(z.number().int()).default([0]),
}));
type CommandConfig = z.infer<typeof commandConfigSchema>;
type View = ActivationView<CommandConfig>;

const inputs: PortSpec[] = [
  {
    name: 'data_in',
    label: 'Data',
    kind: 'bundle',
    description: 'Arrives as the variable DATA_IN; if too long, also in the file DATA_IN_FILE',
  },
  { name: 'context_in', label: 'Context', kind: 'bundle', description: 'Arrives as CONTEXT_IN' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle', description: 'Arrives as INSTRUCTION_IN' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: PortSpec[] = [
  { name: 'data_out', label: 'Output', kind: 'bundle', description: 'Output of the command' },
  { name: 'signal_out', label: 'Done', kind: 'signal' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

/**
 * Texts of people and agents are passed as environment variables, never spliced into the script (SPEC
 * "Variables").
 */
function start(view: View): CommandDecision {
  const text = (port: string) => (ownValue(view.inputs, port) ?? []).map(bundleText).join('\n\n');
  const { config } = view;
  const reason = revisionReason(view.inputs);
  return {
    kind: 'command',
    script: config.script,
    terminal: config.terminal,
    timeoutSeconds: config.timeout_seconds,
    joinsErrors: config.stderr === 'join',
    outputLimit: config.output_limit === null ? null : outputPart(config.output_limit),
    // Spreads would add the fields to a copy, which is slow in V8.
    env: Object.assign(
      {},
      config.env,
      {
        DATA_IN: text('data_in'),
        CONTEXT_IN: text('context_in'),
        INSTRUCTION_IN: text('instruction_in'),
      },
      view.variables,
      { ARGUMENTS: view.arguments },
      reason === '' ? {} : { REJECTION_REASON: reason },
    ),
  };
}

function outputBundle(
  output: EndedCommand['output'],
  { stepId, activationId }: Pick<View, 'stepId' | 'activationId'>,
): ContextBundle {
  const origin = { stepId, activationId, sessionKey: null, port: 'data_out', kind: 'output' as const };
  if (!isCut(output)) return makeBundle(output, origin);
  const { content: _, ...empty } = makeBundle('', origin);
  return { ...empty, cut: output };
}

function tooLarge({ totalBytes }: CutText): AppError {
  const most = sizeWords(WHOLE_TEXT_BYTES);
  return appError(
    'step.output_too_large',
    `the command printed ${sizeWords(totalBytes)}; an output is passed on whole up to ${most}`,
    { mend: 'print less, write it to a file, or set output_limit to take a part of it' },
  );
}

const cutAnswer = (output: CutText): AppError =>
  appError('reference.cut', `output_format needs the whole output, and this is the ${cutWords(output)}`, {
    mend: 'print less, or raise output_limit',
  });

function finish(view: View, command: EndedCommand): FinishDecision {
  const { stepId, activationId } = view;
  const { output } = command;
  const limit = view.config.output_limit;
  const receipt = {
    step_id: view.stepId,
    attempt: view.attempt,
    exit_code: command.exitCode,
    outcome: command.outcome,
    output_path: command.outputPath,
    ...(isCut(output) ? { output_cut: cutWords(output) } : {}),
  };
  const done = {
    data_out: outputBundle(output, { stepId, activationId }),
    receipt_out: makeBundle(receipt, {
      stepId,
      activationId,
      sessionKey: null,
      port: 'receipt_out',
      kind: 'json',
    }),
  };
  const ends = (
    outcome: FinishDecision['outcome'],
    signals: readonly string[],
    error: AppError | null,
  ): FinishDecision => ({ kind: 'finish', receipt, warnings: [], outcome, outputs: done, signals, error });
  if (command.outcome === 'cancelled') return ends('cancelled', [], null);
  const succeeded =
    command.error === null &&
    command.outcome === 'exited' &&
    command.exitCode !== null &&
    view.config.ok_codes.includes(command.exitCode);
  if (succeeded && command.error !== null) return ends('failed', [], command.error);
  if (succeeded && isCut(output) && limit === null) return ends('failed', [], tooLarge(output));
  if (succeeded && isCut(output) && view.format !== null) return ends('failed', [], cutAnswer(output));
  const read = succeeded && !isCut(output) ? (view.format?.read(output) ?? null) : null;
  if (read !== null && 'faults' in read) return ends('failed', [], invalidOutput(read.faults));
  if (succeeded) return ends('succeeded', ['data_out', 'receipt_out', 'signal_out'], null);
  const how =
    command.outcome === 'exited'
      ? `the command ended with exit code ${command.exitCode}`
      : `the command ${command.outcome === 'timed_out' ? 'ran longer than its time limit' : command.outcome.replaceAll('_', ' ')}`;
  return ends('failed', [], command.error ?? appError('command.failed', how));
}

export const command = defineStep<CommandConfig>({
  notOnHost: ({ terminal, script }) =>
    terminal
      ? 'a terminal cannot be there yet; write "terminal: false"'
      : /ARTIFACTS_DIR/.test(script)
        ? 'the folder of $ARTIFACTS_DIR is not there yet'
        : null,
  type: 'step.command',
  version: 1,
  title: 'Command',
  description: 'Runs a shell command in the working folder.',
  config: commandConfigSchema,
  templates: [
    { path: 'script', kind: 'script', variables: ['REJECTION_REASON'] },
    { path: 'env.*', kind: 'text', variables: ['REJECTION_REASON'] },
  ],
  takesFormat: true,
  onInterrupt: 'ask',
  ports: () => ({ inputs, outputs }),
  decide: (view) => {
    const ended = view.commands[view.commands.length - 1];
    return ended === undefined ? start(view) : finish(view, ended);
  },
});
