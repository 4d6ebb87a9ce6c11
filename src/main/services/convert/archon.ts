import type { Json } from '@contract/ids';
import { own, setOwn } from '@contract/own';
import { RESERVED_IDS } from '../../core/reference/reference';
import type { StepRegistry } from '../../core/step/module';
import { convertNode, formatOf, isAgentKind, KINDS, type Kind, type NodeContext } from './nodes';
import { isRaw, listAt, numberAt, type Raw, rawAt, textAt } from './raw';
import type { ConversionReport, NodeReport } from './report';
import { convertCondition, type TextNames } from './texts';

/** A workflow of Muster, as it is written to a file. */
type Workflow = { readonly [key: string]: Json };

interface ConvertParts {
  readonly registry: StepRegistry;
  readonly report: ConversionReport;
  command(name: string): string | null;
}

/** Whether a document is a workflow of Archon: a name and a list of nodes. */
export const isArchon = (value: unknown): value is Raw => isRaw(value) && Array.isArray(own(value, 'nodes'));

/** Converts a workflow of Archon, as it was before `wait:` nodes. Every key is in the report. */
export function convertArchon(document: Raw, parts: ConvertParts): Workflow {
  const nodes = listAt(document, 'nodes').filter(isRaw);
  const graph = new Graph(nodes);
  const top = parts.report.of(null, '');
  const head = headOf(document, top, graph);
  const names = (id: string): TextNames => ({
    ids: graph.ids,
    inputs: new Set(Object.keys(rawAt(document, 'inputs') ?? {})),
    variables: [],
    needs: (other) => graph.needs(id, other),
    hasField: (other, field) => graph.fields.get(other)?.includes(field) !== false,
  });
  const agent = { provider: textAt(document, 'provider') ?? 'claude', model: textAt(document, 'model') };
  const steps = nodes.map((node, index): Json => {
    const id = graph.idOf(index);
    const report = parts.report.of(id, `nodes[${index}]`);
    const has = (type: string): boolean => parts.registry.has(type);
    const context: NodeContext = { report, names: names(id), ...agent, command: parts.command, has };
    return stepOf(node, id, { context, registry: parts.registry });
  });
  const cables = graph.cables().map(([from, to]) => ({ from: `${from}.signal_out`, to: `${to}.signal_in` }));
  return { ...head, steps, ...(cables.length === 0 ? {} : { cables }) };
}

function headOf(document: Raw, report: NodeReport, graph: Graph): { [key: string]: Json } {
  const head: { [key: string]: Json } = {
    name: (textAt(document, 'name') ?? 'Converted workflow').slice(0, 120),
  };
  for (const key of Object.keys(document)) {
    switch (key) {
      case 'nodes':
        continue;
      case 'name':
        report.kept(key);
        continue;
      case 'description':
        head.description = textAt(document, key)?.trim() ?? '';
        report.kept(key);
        continue;
      case 'provider':
      case 'model':
        report.changed(key, 'written at each agent step');
        continue;
      case 'worktree': {
        const enabled = own(rawAt(document, key) ?? {}, 'enabled');
        if (typeof enabled === 'boolean') head.workspace = enabled ? 'worktree' : 'project';
        report.changed(key, 'workspace');
        continue;
      }
      case 'inputs':
        head.inputs = inputsOf(rawAt(document, key) ?? {}, report);
        continue;
      case 'returns': {
        const id = graph.ids.get(textAt(document, key) ?? '');
        if (id === undefined) report.dropped(key, 'no step has this id');
        else report.kept(key);
        if (id !== undefined) head.returns = id;
        continue;
      }
      default:
        report.dropped(key, own(OF_WORKFLOW, key) ?? 'Muster has no such key');
    }
  }
  return head;
}

const OF_WORKFLOW: Readonly<Record<string, string>> = {
  interactive: 'every run may wait for the operator',
  mutates_checkout: 'runs work in worktrees, and changes of a checkout are asked for',
  tags: 'Muster has no labels for workflows',
};

function inputsOf(inputs: Raw, report: NodeReport): Json {
  const made: { [key: string]: Json } = {};
  for (const [name, input] of Object.entries(inputs)) {
    const raw = isRaw(input) ? input : {};
    const one: { [key: string]: Json } = {};
    const value = own(raw, 'default');
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      one.default = String(value);
    const required = own(raw, 'required');
    // Without a value Archon puts in nothing.
    one.required = required === true;
    if (one.default !== undefined) delete one.required;
    const description = textAt(raw, 'description');
    if (description !== null) one.description = description;
    setOwn(made, name, one);
    report.kept(`inputs.${name}`);
  }
  return made;
}

interface StepParts {
  readonly context: NodeContext;
  readonly registry: StepRegistry;
}

function stepOf(node: Raw, id: string, { context, registry }: StepParts): Json {
  const { report, names } = context;
  const original = textAt(node, 'id') ?? '';
  if (original === id) report.kept('id');
  else report.changed('id', id);
  const kind = KINDS.find((one): one is Kind => own(node, one) !== undefined) ?? 'prompt';
  const { type, config } = convertNode(kind, node, context);
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
    if (condition.text === when) report.kept('when');
    else report.changed('when', condition.notes.join('; '));
  }
  const rule = textAt(node, 'trigger_rule');
  if (rule !== null) {
    step.trigger_rule = rule;
    report.kept('trigger_rule');
  }
  const retry = rawAt(node, 'retry');
  if (retry !== null) {
    step.retry = {
      max_attempts: Math.min(100, Math.max(1, numberAt(retry, 'max_attempts') ?? 1)),
      delay_seconds: Math.max(1, (numberAt(retry, 'delay_ms') ?? 3000) / 1000),
      on: textAt(retry, 'on_error') === 'all' ? 'all' : 'transient',
    };
    report.changed('retry', 'delay_ms is delay_seconds, on_error is on');
  }
  step.config = config;
  tellOthers(node, kind, context);
  return step;
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

/** Everything else of a node: what an agent may do belongs to its profile. */
function tellOthers(node: Raw, kind: Kind, { report }: NodeContext): void {
  for (const key of Object.keys(node)) {
    if (key === 'depends_on') report.changed(key, 'cables');
    else if (key === 'context' && textAt(node, key) === 'fresh') report.kept(key);
    else if (key === 'context')
      report.dropped(key, 'each step has a session of its own; session_mode: continue goes on in another');
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

/** Which step comes before which: what the nodes depend on, and what their texts refer to. */
class Graph {
  /** The ids of Muster by those of the file. */
  readonly ids = new Map<string, string>();
  /** The fields that an output_format declares, by the ids of Muster. */
  readonly fields = new Map<string, readonly string[]>();
  readonly #order: string[] = [];
  readonly #before = new Map<string, Set<string>>();

  constructor(nodes: readonly Raw[]) {
    const taken = new Set<string>();
    nodes.forEach((node, index) => {
      const original = textAt(node, 'id') ?? `node-${index + 1}`;
      let id = original.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 60);
      if (!/^[A-Za-z_]/.test(id) || RESERVED_IDS.has(id)) id = `step-${id}`;
      while (taken.has(id)) id = `${id}-2`;
      taken.add(id);
      this.ids.set(original, id);
      this.#order.push(id);
      this.#before.set(id, new Set());
      const properties = rawAt(rawAt(node, 'output_format') ?? {}, 'properties');
      if (properties !== null) this.fields.set(id, Object.keys(properties));
    });
    nodes.forEach((node, index) => {
      for (const other of listAt(node, 'depends_on')) {
        const from = this.ids.get(String(other));
        if (from !== undefined) this.#before.get(this.idOf(index))?.add(from);
      }
    });
  }

  idOf = (index: number): string => this.#order[index] ?? '';

  /** Makes a step come before another one; false where it comes after it. */
  needs(id: string, other: string): boolean {
    if (this.#reaches(id, other)) return true;
    if (id === other || this.#reaches(other, id)) return false;
    this.#before.get(id)?.add(other);
    return true;
  }

  #reaches(from: string, wanted: string, seen = new Set<string>()): boolean {
    for (const one of this.#before.get(from) ?? []) {
      if (one === wanted) return true;
      if (seen.has(one)) continue;
      seen.add(one);
      if (this.#reaches(one, wanted, seen)) return true;
    }
    return false;
  }

  cables = (): [string, string][] =>
    this.#order.flatMap((to) =>
      [...(this.#before.get(to) ?? [])].map((from): [string, string] => [from, to]),
    );
}
