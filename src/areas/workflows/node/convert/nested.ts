import type { Json } from '@contract/ids';
import { ownValue, setOwnValue } from '@contract/own';
import { LOOP_KEYS, loopEnd } from './loop-end';
import { type ConvertedNode, type ForeignWorkflow, type NodeContext, notCarriedOver } from './node-context';
import { tellRest } from './report';
import { convertText } from './texts';
import { isRaw, listAt, numberAt, type Raw, rawAt, textAt } from './untrusted-value';
import { FAN_OUT_PARALLEL } from './width';

export function convertLoopGroup(node: Raw, context: NodeContext): ConvertedNode {
  const group = rawAt(node, 'loop_group') ?? {};
  const nodes = listAt(group, 'nodes').filter(isRaw);
  if (nodes.length === 0) return notCarriedOver('loop_group', 'it has no nodes', context);
  const { report, names } = context;
  report.changed('loop_group', 'step.loop with a body; until_bash is until_command');
  const fresh = ownValue(group, 'fresh_context') === true;
  if (fresh) report.kept('loop_group.fresh_context');
  tellRest(group, { known: ['nodes', 'fresh_context', ...LOOP_KEYS], key: 'loop_group', report });
  const variables = ['LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT'];
  const body = context.body({ kind: 'loop', nodes, fresh });
  const end = loopEnd(group, { names: { ...names, variables }, report, key: 'loop_group' });
  return { type: 'step.loop', config: { ...end, body } };
}

/** Maximum nesting depth of inlined workflows. */
const DEEPEST = 6;

/** `include` and `workflow`: the other workflow's nodes become a step's body. */
export function convertCall(kind: 'include' | 'workflow', node: Raw, context: NodeContext): ConvertedNode {
  const name = textAt(node, kind) ?? '';
  const refuse = (why: string): ConvertedNode => {
    const node_ = notCarriedOver(kind, why, context);
    for (const key of ['input', 'with', 'fan_out', 'isolation'])
      if (ownValue(node, key) !== undefined)
        context.report.dropped(key, 'it belongs to the step that is left out');
    return node_;
  };
  if (context.within.includes(name)) return refuse(`the workflow ${name} would call itself`);
  if (context.within.length >= DEEPEST) return refuse('workflows lie too deep in each other');
  const workflow = context.workflow(name);
  if (workflow === null) return refuse(`there is no workflow ${name}`);
  if (listAt(workflow.document, 'nodes').filter(isRaw).length === 0)
    return refuse(`the workflow ${name} has no nodes`);
  context.report.changed(kind, `step.workflow with the nodes of ${workflow.source} as its body`);
  const inputs = inputsOf(node, workflow, context);
  const argument = kind === 'workflow' ? argumentOf(node, inputs) : null;
  const each = forEach(node, argument, context);
  if (argument !== null && each === null) setOwnValue(inputs, argument, inputText(node, context));
  else if (ownValue(node, 'input') !== undefined)
    context.report.changed('input', 'each item of for_each is the input');
  tellIsolation(node, context);
  const names = new Set([...Object.keys(inputs), ...(each === null ? [] : [String(each.as)])]);
  const body = context.body({ kind: 'workflow', name, workflow, inputs: names, argument });
  return {
    type: 'step.workflow',
    config: {
      ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
      ...(each === null ? {} : { for_each: each }),
      body,
    },
  };
}

/** The values of `with`, then the other workflow's defaults. */
function inputsOf(
  node: Raw,
  { document }: ForeignWorkflow,
  { names, report }: NodeContext,
): Record<string, Json> {
  const inputs: Record<string, Json> = {};
  const declared = rawAt(document, 'inputs') ?? {};
  for (const [name, value] of Object.entries(rawAt(node, 'with') ?? {})) {
    if (typeof value === 'number' || typeof value === 'boolean') setOwnValue(inputs, name, value);
    else
      setOwnValue(
        inputs,
        name,
        convertText(typeof value === 'string' ? value : JSON.stringify(value), names).text,
      );
  }
  if (ownValue(node, 'with') !== undefined) report.changed('with', 'inputs');
  for (const [name, input] of Object.entries(declared)) {
    if (ownValue(inputs, name) !== undefined) continue;
    const value = ownValue(isRaw(input) ? input : {}, 'default');
    setOwnValue(inputs, name, typeof value === 'object' || value === undefined ? '' : String(value));
  }
  return inputs;
}

/** The name of the input that replaces ARGUMENTS in a called workflow's texts. */
function argumentOf(node: Raw, inputs: Readonly<Record<string, Json>>): string {
  const fanOut = rawAt(node, 'fan_out');
  const named = fanOut === null ? null : textAt(fanOut, 'as');
  let name = named ?? 'arguments';
  while (ownValue(inputs, name) !== undefined) name = `${name}_2`;
  return name;
}

function inputText(node: Raw, { names, report }: NodeContext): string {
  if (ownValue(node, 'input') === undefined) return '';
  report.changed('input', 'inputs.arguments, which $ARGUMENTS of the other workflow stands for');
  return convertText(textAt(node, 'input') ?? '', names).text;
}

function forEach(node: Raw, as: string | null, { names, report }: NodeContext): Record<string, Json> | null {
  const fanOut = rawAt(node, 'fan_out');
  if (fanOut === null || as === null) return null;
  const join = textAt(fanOut, 'join') === 'all_success' ? 'all_success' : 'all_done';
  const differs = join === 'all_done' ? '; the output of an item that failed is null, and the run fails' : '';
  report.changed('fan_out', `for_each${differs}`);
  tellRest(fanOut, { known: ['items', 'as', 'max_parallel', 'join'], key: 'fan_out', report });
  return {
    items: convertText(textAt(fanOut, 'items') ?? '[]', names).text,
    as,
    join,
    max_parallel: Math.min(256, Math.max(1, numberAt(fanOut, 'max_parallel') ?? FAN_OUT_PARALLEL)),
    isolation: ownValue(node, 'isolation') === 'worktree' ? 'worktree' : 'inherit',
  };
}

function tellIsolation(node: Raw, { report }: NodeContext): void {
  const isolation = ownValue(node, 'isolation');
  if (isolation === undefined) return;
  if (rawAt(node, 'fan_out') !== null) report.changed('isolation', 'for_each.isolation');
  else if (isolation === 'inherit') report.changed('isolation', 'the body works in the folder of its step');
  else report.dropped('isolation', 'the body works in the folder of its step; use step.coding for worktrees');
}
