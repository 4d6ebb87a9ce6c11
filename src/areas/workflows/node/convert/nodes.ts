import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import { enforceable, type JsonSchema } from '@main/core/step/output/format-keywords';
import { scriptProblems } from '../../core/reference/script/check';
import { scanScript } from '../../core/reference/script/scan';
import type { Kind } from './kinds';
import { LOOP_KEYS, loopEnd } from './loop-end';
import { convertCall, convertLoopGroup } from './nested';
import { type ConvertedNode, type NodeContext, notCarriedOver } from './node-context';
import { convertProgram, timeoutOf } from './program';
import { type NodeReport, tellRest } from './report';
import { type ConvertedText, convertScript, convertText } from './texts';
import { listAt, numberAt, type Raw, rawAt, textAt } from './untrusted-value';

const withNotes = (notes: readonly string[], otherwise: string): string =>
  notes.length === 0 ? otherwise : `${otherwise}; ${notes.join('; ')}`;

function agentOf(node: Raw, { report, provider, model, session }: NodeContext): Record<string, Json> {
  const named = textAt(node, 'model') ?? model;
  if (ownValue(node, 'provider') !== undefined)
    report.changed('provider', 'acp_profile_id: the profile of this name');
  const isTier = named !== null && (/^(small|medium|large|heavy)$/.test(named) || named.startsWith('@'));
  if (ownValue(node, 'model') !== undefined && session.kind !== 'continues') {
    if (isTier) report.dropped('model', 'a tier is no name of a model; set the model in the agent profile');
    else report.changed('model', 'agent_config.model');
  }
  const chosen: Record<string, Json> =
    named === null || isTier || session.kind === 'continues' ? {} : { agent_config: { model: named } };
  return { acp_profile_id: textAt(node, 'provider') ?? provider, ...chosen };
}

function task(text: ConvertedText, node: Raw, context: NodeContext): ConvertedNode {
  const config = { instruction: text.text, prompt: 'template', ...agentOf(node, context) };
  return { type: 'step.agent_task', config: { ...config, ...sessionOf(node, context) } };
}

/** A continued session keeps the model with which it began. */
function sessionOf(node: Raw, { report, session, model }: NodeContext): Record<string, Json> {
  if (session.kind === 'lost') report.dropped('context', session.why);
  if (session.kind !== 'continues') return {};
  report.changed('context', `session_mode: continue, with the session of ${session.from}`);
  const wanted = textAt(node, 'model') ?? model;
  if (wanted !== session.model) report.dropped('model', `the session of ${session.from} keeps its model`);
  return { session_mode: 'continue' };
}

const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim();

/** The text of a command file with the values of `with` inserted. */
function commandText(name: string, node: Raw, context: NodeContext): ConvertedText | null {
  const found = context.command(name);
  if (found === null) return null;
  const given = rawAt(node, 'with') ?? {};
  const text = withoutFrontMatter(found).replace(
    /\$INPUTS\.([A-Za-z_][A-Za-z0-9_]*)/g,
    (whole, input: string) => textAt(given, input) ?? whole,
  );
  if (ownValue(node, 'with') !== undefined) context.report.changed('with', 'written into the instruction');
  return convertText(text === '' ? '(empty command)' : text, context.names);
}

const CONVERTERS: Readonly<Record<Kind, (node: Raw, context: NodeContext) => ConvertedNode>> = {
  prompt(node, context) {
    const text = convertText(textAt(node, 'prompt') ?? '', context.names);
    context.report.changed('prompt', withNotes(text.notes, 'step.agent_task with prompt: template'));
    return task(text, node, context);
  },
  command(node, context) {
    const name = textAt(node, 'command') ?? '';
    const text = commandText(name, node, context);
    if (text === null) return notCarriedOver('command', `there is no command file ${name}.md`, context);
    context.report.changed('command', withNotes(text.notes, `the text of ${name}.md is the instruction`));
    return task(text, node, context);
  },
  bash(node, context) {
    const script = convertScript(textAt(node, 'bash') ?? '', context.names);
    const wrong = scriptProblems(script.text, scanScript(script.text)).find(
      ({ severity }) => severity === 'error',
    );
    if (wrong !== undefined) return notCarriedOver('bash', wrong.message, context);
    context.report.changed(
      'bash',
      withNotes(script.notes, 'step.command; references become quoted variables'),
    );
    return {
      type: 'step.command',
      config: { script: script.text, terminal: false, ...timeoutOf(node, context) },
    };
  },
  script: convertProgram,
  loop: convertLoop,
  loop_group: convertLoopGroup,
  approval: convertApproval,
  cancel(node, context) {
    const reason = convertText((textAt(node, 'cancel') ?? '').trim(), context.names);
    const given =
      reason.text === '' ? 'a reason, because the file states none' : 'step.cancel with the reason';
    context.report.changed('cancel', withNotes(reason.notes, given));
    return { type: 'step.cancel', config: { reason: reason.text === '' ? 'No reason given.' : reason.text } };
  },
  include: (node, context) => convertCall('include', node, context),
  workflow: (node, context) => convertCall('workflow', node, context),
};

function convertLoop(node: Raw, context: NodeContext): ConvertedNode {
  const loop = rawAt(node, 'loop') ?? {};
  if (!context.has('step.loop')) return notCarriedOver('loop', 'this Muster has no step.loop', context);
  const name = textAt(loop, 'command');
  const names = { ...context.names, variables: ['LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT'] };
  const text =
    name === null
      ? convertText(textAt(loop, 'prompt') ?? '', names)
      : commandText(name, loop, { ...context, names });
  if (text === null) return notCarriedOver('loop', `there is no command file ${name ?? ''}.md`, context);
  const config: Record<string, Json> = {
    prompt: text.text,
    session: ownValue(loop, 'fresh_context') === true ? 'fresh' : 'shared',
    ...agentOf(node, context),
    ...loopEnd(loop, { names, report: context.report, key: 'loop' }),
  };
  context.report.changed(
    'loop',
    withNotes(text.notes, 'step.loop; fresh_context is session, until_bash is until_command'),
  );
  tellRest(loop, {
    known: ['prompt', 'command', 'fresh_context', 'with', ...LOOP_KEYS],
    key: 'loop',
    report: context.report,
  });
  return { type: 'step.loop', config };
}

function convertApproval(node: Raw, context: NodeContext): ConvertedNode {
  const approval = rawAt(node, 'approval') ?? {};
  const { names, report } = context;
  const message = convertText(textAt(approval, 'message') ?? 'Go on?', names);
  const reject = rawAt(approval, 'on_reject');
  const reworks = (reject === null ? 0 : (numberAt(reject, 'max_attempts') ?? 3)) - 1;
  const decisions = listAt(approval, 'decisions').flatMap((one) => decisionOf(one));
  const prompt =
    reject === null
      ? null
      : convertText(textAt(reject, 'prompt') ?? '', { ...names, variables: ['REJECTION_REASON'] });
  const notes = [...message.notes, ...(prompt?.notes ?? [])];
  if (reject !== null) notes.push(`max_attempts counts reworks: ${Math.max(0, reworks)}`);
  report.changed('approval', withNotes(notes, 'step.approval'));
  tellApproval(approval, { reworks, decided: decisions.length >= 2, report });
  return {
    type: 'step.approval',
    config: {
      message: message.text,
      ...(ownValue(approval, 'capture_response') === true && decisions.length < 2
        ? { capture_response: true }
        : {}),
      ...(prompt !== null && reworks > 0 && decisions.length < 2
        ? {
            on_reject: {
              prompt: prompt.text,
              acp_profile_id: context.provider,
              max_attempts: Math.min(10, reworks),
            },
          }
        : {}),
      ...(decisions.length < 2 ? {} : { decisions }),
    },
  };
}

interface ApprovalFacts {
  readonly reworks: number;
  readonly decided: boolean;
  readonly report: NodeReport;
}

/** Reports the parts of an approval that are dropped. */
function tellApproval(approval: Raw, { reworks, decided, report }: ApprovalFacts): void {
  const known = ['message', 'capture_response', 'on_reject', 'decisions'];
  tellRest(approval, { known, key: 'approval', report });
  const reject = rawAt(approval, 'on_reject');
  tellRest(reject, { known: ['prompt', 'max_attempts'], key: 'approval.on_reject', report });
  if (reject !== null && decided)
    report.dropped('approval.on_reject', 'decisions replace approve and reject');
  else if (reject !== null && reworks <= 0)
    report.dropped('approval.on_reject', 'its max_attempts allows no rework');
  if (ownValue(approval, 'capture_response') === true && decided)
    report.dropped('approval.capture_response', 'the output is {decision, text}');
  const decisions = listAt(approval, 'decisions');
  if (decisions.length > 0 && !decided)
    report.dropped('approval.decisions', 'a choice has at least two decisions');
  decisions.forEach((one, at) => {
    const key = `approval.decisions[${at}]`;
    if (decisionOf(one).length === 0) report.dropped(key, 'its id cannot be used');
    else tellRest(one as Raw, { known: ['id', 'label'], key, report });
  });
}

function decisionOf(one: unknown): { id: string; label: string }[] {
  if (typeof one !== 'object' || one === null) return [];
  const raw = one as Raw;
  const id = (textAt(raw, 'id') ?? '').toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return /^[a-z]/.test(id) ? [{ id, label: (textAt(raw, 'label') ?? id).slice(0, 60) }] : [];
}

export const convertNode = (kind: Kind, node: Raw, context: NodeContext): ConvertedNode =>
  CONVERTERS[kind](node, context);

/** The JSON Schema of an answer, if all of it can be enforced. */
export function formatOf(node: Raw, { report }: NodeContext, takesFormat: boolean): JsonSchema | null {
  const format = rawAt(node, 'output_format');
  if (ownValue(node, 'output_format') === undefined) return null;
  const schema = JSON.parse(JSON.stringify(format ?? null)) as JsonSchema | null;
  const [flaw] = schema === null ? [{ path: '', message: 'it is no object' }] : enforceable(schema).flaws;
  if (!takesFormat) report.dropped('output_format', 'this kind of step checks no answer');
  else if (flaw !== undefined) report.dropped('output_format', `${flaw.path} ${flaw.message}`.trim());
  else report.kept('output_format');
  return takesFormat && flaw === undefined ? schema : null;
}
