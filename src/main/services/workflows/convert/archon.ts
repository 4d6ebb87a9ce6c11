import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { StepRegistry } from '../../../core/step/module';
import { Graph } from './graph';
import type { ConvertedList, ForeignWorkflow, NodeContext, WantedBody } from './node-context';
import { convertNode, formatOf, isAgentKind, KINDS, type Kind, OWN_KEYS } from './nodes';
import type { ConversionReport, NodeReport } from './report';
import { tellRest } from './report';
import { convertCondition, type TextNames } from './texts';
import { isRaw, listAt, numberAt, type Raw, rawAt, textAt } from './untrusted-value';

/** A Muster workflow, as written to a file. */
type Workflow = { readonly [key: string]: Json };

interface ConvertParts {
  readonly registry: StepRegistry;
  readonly report: ConversionReport;
  command(name: string): string | null;
  /** Another workflow by name; null if there is none. */
  workflow(name: string): ForeignWorkflow | null;
}

/** Whether a document is an Archon workflow: a name and a list of nodes. */
export const isArchon = (value: unknown): value is Raw =>
  isRaw(value) && Array.isArray(ownValue(value, 'nodes'));

/** Converts an Archon workflow (from before `wait:` nodes). The report contains every key. */
export function convertArchon(document: Raw, parts: ConvertParts): Workflow {
  const nodes = listAt(document, 'nodes').filter(isRaw);
  const graph = new Graph(nodes);
  const head = headOf(document, parts.report.of(null, ''), graph);
  const inputs = new Set(Object.keys(rawAt(document, 'inputs') ?? {}));
  const list: NodeList = {
    nodes,
    graph,
    path: 'nodes',
    prefix: '',
    report: parts.report,
    within: [],
    ...agentOf(document),
    names: { inputs, variables: [], around: null, argument: null },
  };
  return { ...head, ...convertList(list, parts) };
}

const agentOf = (document: Raw) => ({
  provider: textAt(document, 'provider') ?? 'claude',
  model: textAt(document, 'model'),
});

/** Nodes of one list, with what their texts may refer to. */
interface NodeList {
  readonly nodes: readonly Raw[];
  readonly graph: Graph;
  /** Their path in the file. */
  readonly path: string;
  /** The prefix of their ids in the report. */
  readonly prefix: string;
  readonly report: ConversionReport;
  readonly provider: string;
  readonly model: string | null;
  readonly names: ListNames;
  /** The enclosing workflows that they are inlined into. */
  readonly within: readonly string[];
}

interface ListNames {
  readonly inputs: ReadonlySet<string>;
  readonly variables: readonly string[];
  /** The names visible around a loop's body; null if nothing is visible. */
  readonly around: TextNames | null;
  /** The input that replaces ARGUMENTS in a called workflow. */
  readonly argument: string | null;
}

function namesOf({ graph, names: { around, ...names } }: NodeList, id: string): TextNames {
  return {
    ...names,
    ids: around === null ? graph.ids : new Map([...around.ids, ...graph.ids]),
    needs: (other) => (graph.has(other) ? graph.needs(id, other) : around?.needs(other) === true),
    hasField: (other, field) =>
      graph.has(other)
        ? graph.fields.get(other)?.includes(field) !== false
        : around?.hasField(other, field) !== false,
  };
}

function convertList(list: NodeList, parts: ConvertParts): ConvertedList {
  const { nodes, graph, path, prefix, report, provider, model, within } = list;
  const steps = nodes.map((node, index): Json => {
    const id = graph.idOf(index);
    const place = `${path}[${index}]`;
    const names = namesOf(list, id);
    const context: NodeContext = {
      report: report.of(`${prefix}${id}`, place),
      names,
      provider,
      model,
      within,
      command: parts.command,
      workflow: parts.workflow,
      has: (type) => parts.registry.has(type),
      body: (wanted) => bodyOf(wanted, { list, id, place, names, parts }),
    };
    return stepOf(node, id, { context, registry: parts.registry });
  });
  const cables = graph.cables().map(([from, to]) => ({ from: `${from}.signal_out`, to: `${to}.signal_in` }));
  return { steps, ...(cables.length === 0 ? {} : { cables }) };
}

interface Owner {
  readonly list: NodeList;
  readonly id: string;
  readonly place: string;
  readonly names: TextNames;
  readonly parts: ConvertParts;
}

/** A step's body: a loop's nodes, or another workflow's, which see only each other. */
function bodyOf(wanted: WantedBody, { list, id, place, names, parts }: Owner): ConvertedList {
  const { report } = list;
  const prefix = `${list.prefix}${id}/`;
  if (wanted.kind === 'loop') {
    const graph = new Graph(wanted.nodes);
    const variables = ['LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT'];
    const inner = { ...list.names, variables, around: names };
    const path = `${place}.loop_group.nodes`;
    return convertList({ ...list, nodes: wanted.nodes, graph, path, prefix, names: inner }, parts);
  }
  const { document, lineOf, source } = wanted.workflow;
  const nodes = listAt(document, 'nodes').filter(isRaw);
  const graph = new Graph(nodes);
  const inner = { inputs: wanted.inputs, variables: [], around: null, argument: wanted.argument };
  const converted = convertList(
    {
      nodes,
      graph,
      path: 'nodes',
      prefix,
      report: report.inFile(source, lineOf),
      ...agentOf(document),
      names: inner,
      within: [...list.within, wanted.name],
    },
    parts,
  );
  const returned = graph.ids.get(textAt(document, 'returns') ?? '');
  return { ...converted, ...(returned === undefined ? {} : { output: returned }) };
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
        const enabled = ownValue(rawAt(document, key) ?? {}, 'enabled');
        if (typeof enabled === 'boolean') head.workspace = enabled ? 'worktree' : 'project';
        report.changed(key, 'workspace');
        tellRest(rawAt(document, key), { known: ['enabled'], key, report });
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
        report.dropped(key, ownValue(OF_WORKFLOW, key) ?? 'Muster has no such key');
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
    const value = ownValue(raw, 'default');
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      one.default = String(value);
    const required = ownValue(raw, 'required');
    // Without a value, Archon inserts nothing.
    one.required = required === true;
    if (one.default !== undefined) delete one.required;
    const description = textAt(raw, 'description');
    if (description !== null) one.description = description;
    setOwnValue(made, name, one);
    report.kept(`inputs.${name}`);
    tellRest(raw, { known: ['default', 'required', 'description'], key: `inputs.${name}`, report });
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
  const kind = KINDS.find((one): one is Kind => ownValue(node, one) !== undefined) ?? 'prompt';
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
    tellRest(retry, { known: ['max_attempts', 'delay_ms', 'on_error'], key: 'retry', report });
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

/** Reports all other keys of a node: an agent's permissions belong to its profile. */
function tellOthers(node: Raw, kind: Kind, { report }: NodeContext): void {
  for (const key of Object.keys(node)) {
    if (OWN_KEYS[kind]?.includes(key) === true) continue;
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
