import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { NodeReport } from './report';
import { convertScript, type TextNames } from './texts';
import { numberAt, type Raw, textAt } from './untrusted-value';

/** Keys of `loop` and `loop_group` that determine the loop's end and questions to the operator. */
export const LOOP_KEYS = [
  ...['until', 'until_bash', 'until_field', 'max_iterations', 'interactive', 'gate_message'],
];

const LEAST_PASSES = 1;
const MOST_PASSES = 1000;

interface LoopEnd {
  readonly names: TextNames;
  readonly report: NodeReport;
  /** `loop` or `loop_group`. */
  readonly key: string;
}

export function loopEnd(loop: Raw, { names, report, key }: LoopEnd): Record<string, Json> {
  const interactive = ownValue(loop, 'interactive') === true;
  const command = textAt(loop, 'until_bash');
  const until = command === null ? null : convertScript(command, names);
  if (until !== null && until.notes.length > 0) report.changed(`${key}.until_bash`, until.notes.join('; '));
  const config: Record<string, Json> = {
    max_iterations: passesOf(loop, key, report),
    ...(interactive ? { interactive, gate_message: textAt(loop, 'gate_message') ?? 'Go on?' } : {}),
    ...(until === null ? {} : { until_command: until.text }),
  };
  for (const one of ['until', 'until_field']) {
    const value = textAt(loop, one)?.trim();
    if (value !== undefined && value !== '') setOwnValue(config, one, value);
  }
  return config;
}

function passesOf(loop: Raw, key: string, report: NodeReport): number {
  const given = numberAt(loop, 'max_iterations');
  const passes = Math.min(MOST_PASSES, Math.max(LEAST_PASSES, Math.floor(given ?? LEAST_PASSES)));
  const path = `${key}.max_iterations`;
  if (given === null) report.changed(path, `${passes}, because the file states no number`);
  else if (given !== passes) report.changed(path, `${passes} instead of ${given}`);
  return passes;
}
