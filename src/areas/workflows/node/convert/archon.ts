import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import type { StepRegistry } from '@main/core/step/module';
import { Graph } from './graph';
import { kindOf } from './kinds';
import { Layers } from './layers';
import type {
  ConvertedList,
  ConvertedSession,
  ForeignWorkflow,
  NodeContext,
  WantedBody,
} from './node-context';
import type { ConversionReport, NodeReport } from './report';
import { tellRest } from './report';
import { continuationOf } from './sessions';
import { stepOf } from './steps';
import type { TextNames } from './texts';
import { isRaw, listAt, type Raw, rawAt, textAt } from './untrusted-value';
import { widest } from './width';

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
  const report = parts.report.of(null, '');
  const head = { ...headOf(document, report, graph), ...parallelOf(nodes, parts, report) };
  const inputs = new Set(Object.keys(rawAt(document, 'inputs') ?? {}));
  const list: NodeList = {
    nodes,
    graph,
    path: 'nodes',
    prefix: '',
    report: parts.report,
    within: [],
    sharedPasses: false,
    ...agentOf(document),
    names: { inputs, variables: [], around: null, argument: null },
  };
  return { ...head, ...convertList(list, parts) };
}

const DEFAULT_PARALLEL = 4;
const MOST_PARALLEL = 256;

/** Archon starts all nodes of a layer together. */
function parallelOf(nodes: readonly Raw[], parts: ConvertParts, report: NodeReport): { [key: string]: Json } {
  const width = widest(nodes, parts.workflow);
  if (width <= DEFAULT_PARALLEL) return {};
  const most = Math.min(MOST_PARALLEL, width);
  const how = `max_parallel: ${most}, because Archon starts all nodes of a layer together`;
  report.changed('nodes', most < width ? `${how}, here up to ${width}` : how);
  return { max_parallel: most };
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
  /** Passes of the loop whose body they are continue the last conversation of the pass before. */
  readonly sharedPasses: boolean;
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
    needs: (other) => (graph.has(other) ? graph.needs(id, other) : (around?.needs(other) ?? 'impossible')),
    hasField: (other, field) =>
      graph.has(other)
        ? graph.fields.get(other)?.includes(field) !== false
        : around?.hasField(other, field) !== false,
  };
}

function convertList(list: NodeList, parts: ConvertParts): ConvertedList {
  const { nodes, graph, path, prefix, report, provider, model, within } = list;
  const layers = new Layers(nodes);
  const sessions = sessionsOf(list, layers, parts);
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
      session: sessions[index] ?? { kind: 'new' },
      order: { unknown: layers.unknown(index), unordered: unorderedBefore(index, layers, graph) },
    };
    return stepOf(node, id, { context, registry: parts.registry });
  });
  const cables = graph.cables();
  return { steps, ...(cables.length === 0 ? {} : { cables }) };
}

/** The conversations of a list's nodes, with their cables in the graph. */
function sessionsOf(
  { nodes, graph, provider, model, sharedPasses }: NodeList,
  layers: Layers,
  { command }: ConvertParts,
): ConvertedSession[] {
  const isTask = (index: number): boolean => {
    const node = nodes[index] ?? {};
    const kind = kindOf(node);
    return kind === 'prompt' || (kind === 'command' && command(textAt(node, 'command') ?? '') !== null);
  };
  const around = { layers, provider, idOf: graph.idOf, isTask, sharedPasses };
  const found = nodes.map((_, index) => continuationOf(index, around));
  const modelOf = (index: number): string | null => {
    const one = found[index];
    return one?.kind === 'continues' ? modelOf(one.from) : (textAt(nodes[index] ?? {}, 'model') ?? model);
  };
  return found.map((one, index) => {
    if (one.kind !== 'continues') return one;
    const from = graph.idOf(one.from);
    graph.continues(graph.idOf(index), from);
    return { kind: 'continues', from, model: modelOf(one.from) };
  });
}

/** Steps of earlier layers that a node does not depend on. */
function unorderedBefore(index: number, layers: Layers, graph: Graph): string[] {
  const own = layers.layerOf(index);
  return layers
    .all()
    .slice(0, own)
    .flat()
    .map(graph.idOf)
    .filter((other) => !graph.precedes(other, graph.idOf(index)));
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
    const sharedPasses = !wanted.fresh;
    return convertList(
      { ...list, nodes: wanted.nodes, graph, path, prefix, names: inner, sharedPasses },
      parts,
    );
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
      sharedPasses: false,
    },
    parts,
  );
  const returned = graph.ids.get(textAt(document, 'returns') ?? '');
  return { ...converted, ...(returned === undefined ? {} : { output: returned }) };
}

const LONGEST_NAME = 120;

function headOf(document: Raw, report: NodeReport, graph: Graph): { [key: string]: Json } {
  const given = textAt(document, 'name')?.trim() ?? '';
  const name = given === '' ? 'Converted workflow' : given.slice(0, LONGEST_NAME);
  const head: { [key: string]: Json } = { name };
  if (given === '') report.changed('name', `${name}, because the file has no name`);
  else if (given !== name) report.changed('name', `its first ${LONGEST_NAME} characters`);
  else report.kept('name');
  for (const key of Object.keys(document)) {
    switch (key) {
      case 'nodes':
        continue;
      case 'name':
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
