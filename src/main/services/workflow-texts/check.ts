import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { pathOfStep } from '@contract/workflow/apply-edit';
import { isMap, valueAt } from '@contract/workflow/change';
import type { PortSpec } from '@contract/workflow/definition';
import type { StepPath, ValuePath, WorkflowEdit } from '@contract/workflow/edit';
import type { MendableProblem } from '@contract/workflow/editing';
import type { ParsedDocument } from '../../core/ports/documents';
import type { StepRegistry } from '../../core/step/module';
import { boundAnyway } from '../workflow-ports';

/** `steps[1].config.re_prompts[0]` as keys and numbers. A key with a dot in it is not found this way. */
export const partsOf = (path: string): ValuePath =>
  (path.match(/\[\d+\]|[^.[\]]+/g) ?? []).map((part) =>
    part.startsWith('[') ? Number(part.slice(1, -1)) : part,
  );

/** A place in a document as edits name it: the step that it lies in, by its path, and the way from there. */
interface Place {
  readonly step: string[];
  readonly path: (string | number)[];
}

function placeOf(document: Json, whole: ValuePath): Place {
  const step: string[] = [];
  let at: ValuePath = [];
  for (let rest = whole; ; ) {
    const [list, index] = rest;
    if (list !== 'steps' || typeof index !== 'number') return { step, path: [...rest] };
    const here = valueAt(document, [...at, list, index]);
    if (!isMap(here) || typeof here.id !== 'string') return { step, path: [...rest] };
    step.push(here.id);
    at = [...at, list, index];
    rest = rest.slice(2);
    if (rest[0] !== 'config' || rest[1] !== 'body' || rest[2] !== 'steps') return { step, path: [...rest] };
    at = [...at, 'config', 'body'];
    rest = rest.slice(2);
  }
}

/** The edits that mend a problem; none where mending it needs a decision. */
function mendsOf(document: Json, { code, where }: Problem): WorkflowEdit[] {
  const whole = partsOf(where?.path ?? '');
  const place = placeOf(document, whole);
  const last = place.path.at(-1);
  switch (code) {
    case 'validation.unknown_key':
      // Only what the edits of values reach, and what really stands there.
      if (place.path.length === 0 || valueAt(document, whole) === undefined || typeof last === 'number')
        return [];
      return [{ kind: 'value.unset', ...place }];
    case 'validation.reprompt_empty':
      if (typeof last !== 'number') return [];
      return [{ kind: 'list.remove', step: place.step, path: place.path.slice(0, -1), at: last }];
    case 'validation.dangling_cable':
    case 'validation.unknown_port':
    case 'validation.cable_type': {
      const at = whole.lastIndexOf('cables');
      const cable = at < 0 ? undefined : valueAt(document, whole.slice(0, at + 2));
      if (!isMap(cable) || typeof cable.from !== 'string' || typeof cable.to !== 'string') return [];
      return [{ kind: 'cable.remove', body: place.step, from: cable.from, to: cable.to }];
    }
    default:
      return [];
  }
}

/** Problems of a text with line and column of their cause, and with the edits that mend them. */
export function mendable(
  problems: readonly Problem[],
  document: ParsedDocument,
): { readonly problems: MendableProblem[]; readonly value: Json } {
  // What YAML can say and JSON cannot, such as .inf, is null.
  const value = JSON.parse(JSON.stringify(document.value ?? null)) as Json;
  const found = problems.map((problem): MendableProblem => {
    const path = problem.where?.path;
    const at = path === undefined || problem.where?.column !== undefined ? null : document.startOf(path);
    const edits = mendsOf(value, problem);
    return {
      ...problem,
      ...(at === null ? {} : { where: { ...problem.where, ...at } }),
      ...(edits.length === 0 ? {} : { edits }),
    };
  });
  return { problems: found, value };
}

interface Ports {
  readonly inputs: PortSpec[];
  readonly outputs: PortSpec[];
}

/** The ports of every step whose configuration can be read, also in bodies: by the ids on the way, joined by `/`. */
export function portsIn(
  document: Json,
  registry: StepRegistry,
  owners: StepPath = [],
): Record<string, Ports> {
  const body = owners.length === 0 ? [] : pathOfStep(document, owners);
  if (body === null) return {};
  const steps = valueAt(document, owners.length === 0 ? ['steps'] : [...body, 'config', 'body', 'steps']);
  const entries = (Array.isArray(steps) ? steps : []).flatMap((step): [string, Ports][] => {
    if (!isMap(step) || typeof step.id !== 'string' || typeof step.type !== 'string') return [];
    const module = registry.get(step.type);
    const path = [...owners, step.id];
    const inner = path.length < 64 ? Object.entries(portsIn(document, registry, path)) : [];
    const bound = module === undefined ? null : boundAnyway(module, step.config ?? {});
    if (bound === null) return inner;
    const { inputs, outputs } = bound.ports;
    return [[path.join('/'), { inputs: [...inputs], outputs: [...outputs] }], ...inner];
  });
  return Object.fromEntries(entries);
}
