import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import { ownValue, setOwnValue } from '@contract/own';
import type { AnyStepModule, BoundStep, StepRegistry } from '@main/core/step/module';
import type { z } from 'zod';
import type { StepDefinition } from '../contract/definition';

type Ports = WorkflowDetail['ports'];

/** Maximum rounds of correcting a configuration; after that its step has no known ports. */
const MOST_TRIES = 6;

/**
 * The ports of every step, even in a file with errors; steps in bodies by path, such as `review/fix`. A step
 * of unknown type has none.
 */
export function stepPorts(steps: readonly StepDefinition[], registry: StepRegistry): Ports {
  const ports: Ports = {};
  addPorts({ ports, registry }, steps, '');
  return ports;
}

interface PortsFound {
  readonly ports: Ports;
  readonly registry: StepRegistry;
}

function addPorts(found: PortsFound, steps: readonly StepDefinition[], around: string): void {
  for (const { id, type, config } of steps) {
    const module = found.registry.get(type);
    const bound = module === undefined ? null : boundAnyway(module, config);
    if (bound === null) continue;
    const { inputs, outputs } = bound.ports;
    setOwnValue(found.ports, around + id, { inputs: [...inputs], outputs: [...outputs] });
    if (bound.body?.kind === 'inline' && bound.body.quiet !== true)
      addPorts(found, bound.body.steps, `${around}${id}/`);
  }
}

/** The ports of a new step of this type. */
export const portsOfType = (module: AnyStepModule): Ports[string] => {
  const bound = boundAnyway(module, {});
  return bound === null
    ? { inputs: [], outputs: [] }
    : { inputs: [...bound.ports.inputs], outputs: [...bound.ports.outputs] };
};

/**
 * Replaces missing or invalid parts of the configuration until the module accepts it; only the ports are
 * used.
 */
export function boundAnyway(module: AnyStepModule, config: unknown): BoundStep | null {
  const whole = module.config.safeParse(config);
  if (whole.success) return module.bind(whole.data);
  let value: unknown = structuredClone(config);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const parsed = module.config.safeParse(value);
    if (parsed.success) return module.bind(parsed.data);
    for (const issue of parsed.error.issues) value = mended(value, issue);
  }
  return null;
}

function mended(value: unknown, issue: z.core.$ZodIssue): unknown {
  const root = isObject(value) ? value : {};
  if (issue.code === 'unrecognized_keys') {
    const place = placeOf(root, issue.path);
    for (const key of issue.keys) if (isObject(place)) delete place[key];
    return root;
  }
  const key = issue.path.at(-1);
  const place = placeOf(root, issue.path.slice(0, -1));
  if (key === undefined) return {};
  if (Array.isArray(place) && typeof key === 'number') place.splice(key, 1, standIn(issue));
  else if (isObject(place)) {
    const list = issue.code === 'too_small' ? ownValue(place, String(key)) : null;
    if (Array.isArray(list)) list.push({});
    // An invalid value is removed first: its key may be optional.
    else if (Object.hasOwn(place, key)) delete place[String(key)];
    else setOwnValue(place, String(key), standIn(issue));
  }
  return root;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function placeOf(root: unknown, path: readonly PropertyKey[]): unknown {
  let place: unknown = root;
  for (const key of path) {
    if (isObject(place) && Object.hasOwn(place, key)) place = ownValue(place, String(key));
    else if (Array.isArray(place)) place = place[Number(key)];
    else return null;
  }
  return place;
}

/** A substitute for a required value. */
function standIn(issue: z.core.$ZodIssue): unknown {
  if (issue.code === 'invalid_value') return issue.values[0];
  if (issue.code !== 'invalid_type') return 'x';
  switch (issue.expected) {
    case 'number':
    case 'int':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
    case 'record':
      return {};
    default:
      return 'x';
  }
}
