import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { setOwnValue } from '@contract/own';
import type { ParsedDocument } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { remembered } from '@main/services/object-cache';
import { isMap, valueAt } from '../../contract/change';
import type { PortSpec } from '../../contract/definition';
import type { StepPath, WorkflowEdit } from '../../contract/edit';
import type { MendableProblem } from '../../contract/editing';
import { cableAt, partsOf, placeOf } from '../../contract/place';
import { boundAnyway } from '../workflow-ports';

/** The edits that fix a problem; none if fixing it needs a decision. */
function mendsOf(document: Json, { code, where }: Problem): WorkflowEdit[] {
  const whole = partsOf(where?.path ?? '');
  const place = placeOf(document, whole);
  const last = place.path.at(-1);
  switch (code) {
    case 'validation.unknown_key':
      // Only existing places that value edits can reach.
      if (place.path.length === 0 || valueAt(document, whole) === undefined || typeof last === 'number')
        return [];
      return [{ kind: 'value.unset', ...place }];
    case 'validation.reprompt_empty':
      if (typeof last !== 'number') return [];
      return [{ kind: 'list.remove', step: place.step, path: place.path.slice(0, -1), at: last }];
    case 'validation.dangling_cable':
    case 'validation.unknown_port':
    case 'validation.cable_type': {
      const cable = cableAt(document, whole);
      return cable === null ? [] : [{ kind: 'cable.remove', ...cable }];
    }
    default:
      return [];
  }
}

/** A document's content as JSON. YAML values without a JSON form, such as .inf, become null. */
export const jsonOf = remembered(
  ({ value }: Pick<ParsedDocument, 'value'>) => JSON.parse(JSON.stringify(value ?? null)) as Json,
);

/** A text's problems with line and column of their cause, and the edits that fix them. */
export function mendable(problems: readonly Problem[], document: ParsedDocument): MendableProblem[] {
  const value = jsonOf(document);
  return problems.map((problem): MendableProblem => {
    const path = problem.where?.path;
    const at = path === undefined || problem.where?.column !== undefined ? null : document.startOf(path);
    const edits = mendsOf(value, problem);
    return {
      ...problem,
      ...(at === null ? {} : { where: { ...problem.where, ...at } }),
      ...(edits.length === 0 ? {} : { edits }),
    };
  });
}

interface Ports {
  readonly inputs: PortSpec[];
  readonly outputs: PortSpec[];
}

/** So deep bodies are not drawn. */
const DEEPEST = 64;

/** The ports of every step whose configuration can be read, also in bodies: by the ids on the way, joined by `/`. */
export function portsIn(document: Json, registry: StepRegistry): Record<string, Ports> {
  const found: Record<string, Ports> = {};
  const add = (steps: Json | undefined, owners: StepPath): void => {
    for (const step of Array.isArray(steps) ? steps : []) {
      if (!isMap(step) || typeof step.id !== 'string' || typeof step.type !== 'string') continue;
      const path = [...owners, step.id];
      const module = registry.get(step.type);
      const bound = module === undefined ? null : boundAnyway(module, step.config ?? {});
      if (bound !== null) {
        const { inputs, outputs } = bound.ports;
        setOwnValue(found, path.join('/'), { inputs: [...inputs], outputs: [...outputs] });
      }
      if (path.length < DEEPEST) add(valueAt(step, ['config', 'body', 'steps']), path);
    }
  };
  add(valueAt(document, ['steps']), []);
  return found;
}
