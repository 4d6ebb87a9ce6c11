import type { Problem } from '@contract/errors';
import type { StepTrouble } from '../flow/faces';
import { joined } from './graph';

interface Steps {
  readonly steps: readonly { readonly id: string; readonly config?: unknown }[];
}

/** What is wrong with each step, by its key: an error before a warning, and of these the first. */
export function stepTroubles(level: Steps, problems: readonly Problem[]): ReadonlyMap<string, StepTrouble> {
  const found = new Map<string, StepTrouble>();
  for (const { severity, message, where } of problems) {
    const key = where?.path === undefined ? null : keyAt(level, where.path);
    if (key === null) continue;
    const known = found.get(key);
    if (known === undefined || (known.severity === 'warning' && severity === 'error'))
      found.set(key, { severity, text: message });
  }
  return found;
}

/** The innermost step that a path of the file leads into: `steps[2].config.body.steps[0].config.script`. */
function keyAt(level: Steps, path: string): string | null {
  let steps: Steps['steps'] = level.steps;
  let key: string | null = null;
  for (const [, index] of path.matchAll(/(?:^|\.body\.|config\.)steps\[(\d+)\]/g)) {
    const step: Steps['steps'][number] | undefined = steps[Number(index)];
    if (step === undefined) break;
    key = joined(key, step.id);
    const body = (step.config as { body?: Partial<Steps> } | undefined)?.body;
    steps = Array.isArray(body?.steps) ? body.steps : [];
  }
  return key;
}
