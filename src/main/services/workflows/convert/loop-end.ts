import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import { convertScript, type TextNames } from './texts';
import { numberAt, type Raw, textAt } from './untrusted-value';

/** Keys of `loop` and `loop_group` that determine the loop's end and questions to the operator. */
export const LOOP_KEYS = [
  ...['until', 'until_bash', 'until_field', 'max_iterations', 'interactive', 'gate_message'],
];

export function loopEnd(loop: Raw, names: TextNames): Record<string, Json> {
  const interactive = ownValue(loop, 'interactive') === true;
  const command = textAt(loop, 'until_bash');
  const config: Record<string, Json> = {
    max_iterations: Math.min(1000, Math.max(1, numberAt(loop, 'max_iterations') ?? 1)),
    ...(interactive ? { interactive, gate_message: textAt(loop, 'gate_message') ?? 'Go on?' } : {}),
    ...(command === null ? {} : { until_command: convertScript(command, names).text }),
  };
  for (const key of ['until', 'until_field']) {
    const value = textAt(loop, key)?.trim();
    if (value !== undefined && value !== '') setOwnValue(config, key, value);
  }
  return config;
}
