import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import type { StepRegistry } from '@main/core/step/module';
import { isAgentKind, KINDS, type Kind, kindOf, OWN_KEYS } from './kinds';
import type { NodeContext, NodeOrder } from './node-context';
import { convertNode, formatOf } from './nodes';
import { type NodeReport, tellRest } from './report';
import { convertCondition } from './texts';
import { numberAt, type Raw, rawAt, textAt } from './untrusted-value';

interface StepParts {
  readonly context: NodeContext;
  readonly registry: StepRegistry;
}

export function stepOf(node: Raw, id: string, { context, registry }: StepParts): Json {
  const { report, names } = context;
  const original = textAt(node, 'id') ?? '';
  if (original === id) report.kept('id');
  else report.changed('id', original === '' ? `${id}, because the node has no id` : id);
  const kind = kindOf(node);
  const { type, config, placeholder = false } = convertNode(kind, node, context);
  const format = formatOf(node, context, registry.get(type)?.takesFormat === true && kind !== 'loop');
  const step: { [key: string]: Json } = { id, type };
  if (format !== null) step.output_format = format as Json;
  const description = textAt(node, 'description');
  if (description !== null) {
    step.title = description.trim().split('\n')[0]?.slice(0, 120) ?? id;
    report.changed('description', 'title');
  }
  const when = textAt(node, 'when');
  if (when !== null) {
    const condition = convertCondition(when, names);
    step.when = condition.text;
    if (condition.text === when && condition.notes.length === 0) report.kept('when');
    else report.changed('when', condition.notes.join('; '));
  }
  const rule = textAt(node, 'trigger_rule');
  if (rule !== null) {
    step.trigger_rule = rule;
    report.kept('trigger_rule');
  }
  const retry = placeholder ? null : retryOf(node, { report, retriesUnasked: RETRIED.has(kind) });
  if (retry !== null) step.retry = retry;
  if (placeholder) tellReplaced(node, report);
  step.config = config;
  tellOthers(node, kind, context);
  return step;
}

/** Kinds of nodes that Archon runs again by default. */
const RETRIED: ReadonlySet<string> = new Set(['prompt', 'command']);
const DEFAULT_RETRIES = 2;
/** In milliseconds. */
const ARCHON_DELAY = 3000;

interface RetryParts {
  readonly report: NodeReport;
  readonly retriesUnasked: boolean;
}

function retryOf(node: Raw, { report, retriesUnasked }: RetryParts): Json {
  const retry = rawAt(node, 'retry');
  if (retry === null) {
    if (!retriesUnasked) return null;
    report.changed('retry', `${DEFAULT_RETRIES} attempts more after a temporary failure, as Archon makes`);
    return { max_attempts: DEFAULT_RETRIES, delay_seconds: ARCHON_DELAY / 1000, on: 'transient' };
  }
  const wanted = numberAt(retry, 'max_attempts') ?? 1;
  const attempts = Math.min(100, Math.max(1, Math.floor(wanted)));
  const delay = Math.max(1, (numberAt(retry, 'delay_ms') ?? ARCHON_DELAY) / 1000);
  const how = 'delay_ms is delay_seconds, on_error is on';
  report.changed('retry', attempts === wanted ? how : `${how}; max_attempts is ${attempts}`);
  tellRest(retry, { known: ['max_attempts', 'delay_ms', 'on_error'], key: 'retry', report });
  return {
    max_attempts: attempts,
    delay_seconds: delay,
    on: textAt(retry, 'on_error') === 'all' ? 'all' : 'transient',
  };
}

/** Keys that have no place at the step that stands for the node. */
function tellReplaced(node: Raw, report: NodeReport): void {
  for (const key of ['timeout', 'runtime', 'deps', 'retry'])
    if (ownValue(node, key) !== undefined) report.dropped(key, 'it belongs to the step that is left out');
}

const TOLD: ReadonlySet<string> = new Set([
  ...[
    'id',
    'description',
    'when',
    'trigger_rule',
    'retry',
    'output_format',
    'timeout',
    'runtime',
    'deps',
    'with',
  ],
  ...KINDS,
]);

/** Reports all other keys of a node: an agent's permissions belong to its profile. */
function tellOthers(node: Raw, kind: Kind, { report, session, order }: NodeContext): void {
  for (const key of Object.keys(node)) {
    if (OWN_KEYS[kind]?.includes(key) === true) continue;
    if (key === 'depends_on') tellOrder(order, report);
    else if (key === 'context' && RETRIED.has(kind) && session.kind !== 'new') continue;
    else if (key === 'context') tellContext(node, kind, report);
    else if ((key === 'provider' || key === 'model') && isAgentKind(kind)) continue;
    else if (key === 'idle_timeout') report.dropped(key, 'the silence timeout is set in the agent profile');
    else if (!TOLD.has(key) || ((KINDS as readonly string[]).includes(key) && key !== kind))
      report.dropped(key, AGENT_KEYS.has(key) ? 'set it in the agent profile' : 'Muster has no such key');
    else if (
      (key === 'timeout' && kind !== 'bash' && kind !== 'script') ||
      (key === 'with' && kind !== 'command')
    )
      report.dropped(key, 'it has no effect on this kind of step');
  }
}

function tellOrder({ unknown, unordered }: NodeOrder, report: NodeReport): void {
  for (const id of unknown) report.dropped('depends_on', `there is no node ${id}`);
  const early =
    unordered.length === 0 ? '' : `; unlike in Archon it does not wait for ${unordered.join(', ')}`;
  report.changed('depends_on', `cables${early}`);
}

function tellContext(node: Raw, kind: Kind, report: NodeReport): void {
  if (!isAgentKind(kind)) report.dropped('context', 'it has no effect on this kind of step');
  else if (ownValue(node, 'context') === 'fresh') report.kept('context');
  else report.changed('context', 'a new session, as in Archon: there is none to continue');
}

const AGENT_KEYS: ReadonlySet<string> = new Set([
  ...[
    'allowed_tools',
    'denied_tools',
    'hooks',
    'mcp',
    'skills',
    'agents',
    'effort',
    'thinking',
    'maxBudgetUsd',
  ],
  ...['systemPrompt', 'fallbackModel', 'settingSources', 'betas', 'sandbox', 'pi', 'persist_session'],
]);
