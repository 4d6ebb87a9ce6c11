import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';
import type { PlannedStep } from './types';

/** A warning for each step that is switched off, with the steps that are skipped because of it. */
export function switchedOff(
  { steps }: WorkflowDefinition,
  planned: ReadonlyMap<string, PlannedStep>,
): readonly Problem[] {
  return steps.flatMap(({ id, title, disabled }, index): Problem[] => {
    if (disabled !== true) return [];
    const behind = skippedWith(id, planned);
    const also = behind.length === 0 ? '' : `, and so are the steps that need it: ${behind.join(', ')}`;
    return [
      {
        code: 'validation.switched_off',
        severity: 'warning',
        message: `step "${title ?? id}" is switched off: it is skipped${also}`,
        where: { path: `steps[${index}].disabled` },
        mend:
          behind.length === 0 ? 'switch it on to run it' : 'switch it on, or give those another trigger_rule',
      },
    ];
  });
}

/** The titles of the steps that cannot run without a step, in the order of the plan. */
function skippedWith(id: string, planned: ReadonlyMap<string, PlannedStep>): readonly string[] {
  const off = new Set([id]);
  const titles: string[] = [];
  for (const [key, { cables, triggerRule, definition, title }] of planned) {
    const needs = cables.some(
      ({ fromStep, back, firesWhenSkipped }) =>
        !back && off.has(fromStep) && !(firesWhenSkipped && fromStep === id),
    );
    if (!needs || triggerRule !== 'all_success' || definition.disabled === true) continue;
    off.add(key);
    titles.push(title);
  }
  return titles;
}
