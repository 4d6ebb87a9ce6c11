import type { Json } from '@contract/ids';
import { own, setOwn } from '@contract/own';
import { scriptProblems } from '../../core/reference/script/check';
import { scanScript } from '../../core/reference/script/scan';
import { enforceable, type JsonSchema } from '../../core/step/format-keywords';
import { listAt, numberAt, type Raw, rawAt, textAt } from './raw';
import type { NodeReport } from './report';
import { type ConvertedText, convertScript, convertText, type TextNames } from './texts';

export interface NodeContext {
  readonly report: NodeReport;
  readonly names: TextNames;
  /** The provider and the model of the workflow. */
  readonly provider: string;
  readonly model: string | null;
  /** The text of a command file; null where there is none. */
  command(name: string): string | null;
  has(type: string): boolean;
}

export interface ConvertedNode {
  readonly type: string;
  readonly config: Record<string, Json>;
}

/** What a node does: exactly one of these keys. */
export const KINDS = [
  ...[
    'prompt',
    'command',
    'bash',
    'script',
    'loop',
    'loop_group',
    'approval',
    'cancel',
    'include',
    'workflow',
  ],
] as const;
export type Kind = (typeof KINDS)[number];

const AGENT_KINDS: ReadonlySet<string> = new Set(['prompt', 'command', 'loop']);
export const isAgentKind = (kind: string): boolean => AGENT_KINDS.has(kind);

const told = (notes: readonly string[], otherwise: string): string =>
  notes.length === 0 ? otherwise : `${otherwise}; ${notes.join('; ')}`;

/** Stands where a node cannot be carried over, so that the rest of the file is valid: it fails and says why. */
function placeholder(why: string): ConvertedNode {
  const words = `This step was not carried over: ${why}`.replace(/'/g, '’').replace(/\$/g, '');
  return { type: 'step.command', config: { script: `echo '${words}' >&2\nexit 1\n`, terminal: false } };
}

function left(key: string, why: string, { report }: NodeContext): ConvertedNode {
  report.dropped(key, `${why}; a step that fails stands in its place`);
  return placeholder(why);
}

function agentOf(node: Raw, { report, provider, model }: NodeContext): Record<string, Json> {
  const named = textAt(node, 'model') ?? model;
  if (own(node, 'provider') !== undefined)
    report.changed('provider', 'acp_profile_id: the profile of this name');
  const isTier = named !== null && (/^(small|medium|large|heavy)$/.test(named) || named.startsWith('@'));
  if (own(node, 'model') !== undefined) {
    if (isTier) report.dropped('model', 'a tier is no name of a model; set the model in the agent profile');
    else report.changed('model', 'agent_config.model');
  }
  const chosen: Record<string, Json> = named === null || isTier ? {} : { agent_config: { model: named } };
  return { acp_profile_id: textAt(node, 'provider') ?? provider, ...chosen };
}

function task(text: ConvertedText, node: Raw, context: NodeContext): ConvertedNode {
  return {
    type: 'step.agent_task',
    config: { instruction: text.text, prompt: 'template', ...agentOf(node, context) },
  };
}

const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trim();

/** The text of a command file with the values of `with` written into it. */
function commandText(name: string, node: Raw, context: NodeContext): ConvertedText | null {
  const found = context.command(name);
  if (found === null) return null;
  const given = rawAt(node, 'with') ?? {};
  const text = withoutFrontMatter(found).replace(
    /\$INPUTS\.([A-Za-z_][A-Za-z0-9_]*)/g,
    (whole, input: string) => textAt(given, input) ?? whole,
  );
  if (own(node, 'with') !== undefined) context.report.changed('with', 'written into the instruction');
  return convertText(text === '' ? '(empty command)' : text, context.names);
}

const CONVERTERS: Readonly<Record<Kind, (node: Raw, context: NodeContext) => ConvertedNode>> = {
  prompt(node, context) {
    const text = convertText(textAt(node, 'prompt') ?? '', context.names);
    context.report.changed('prompt', told(text.notes, 'step.agent_task with prompt: template'));
    return task(text, node, context);
  },
  command(node, context) {
    const name = textAt(node, 'command') ?? '';
    const text = commandText(name, node, context);
    if (text === null) return left('command', `there is no command file ${name}.md`, context);
    context.report.changed('command', told(text.notes, `the text of ${name}.md is the instruction`));
    return task(text, node, context);
  },
  bash(node, context) {
    const script = convertScript(textAt(node, 'bash') ?? '', context.names);
    const wrong = scriptProblems(script.text, scanScript(script.text)).find(
      ({ severity }) => severity === 'error',
    );
    if (wrong !== undefined) return left('bash', wrong.message, context);
    context.report.changed('bash', told(script.notes, 'step.command; references become quoted variables'));
    const config = { script: script.text, terminal: false, timeout_seconds: timeoutOf(node, context) };
    return { type: 'step.command', config };
  },
  script(node, context) {
    const code = textAt(node, 'script') ?? '';
    const runtime = textAt(node, 'runtime') ?? 'bun';
    if (own(node, 'runtime') !== undefined) context.report.changed('runtime', 'part of the script');
    if (own(node, 'deps') !== undefined) context.report.changed('deps', 'part of the script');
    if (convertText(code, context.names).text !== code || scanScript(code).length > 0)
      return left('script', 'its references stand in program code, where text would be run as code', context);
    const deps = listAt(node, 'deps').map((dep) => ` --with '${String(dep).replace(/'/g, "'\\''")}'`);
    const isCode = /[\s;(){}&|<>$`"']/.test(code);
    const run =
      runtime === 'uv'
        ? `uv run${deps.join('')} ${isCode ? 'python -c' : ''}`
        : `bun ${isCode ? '-e' : 'run'}`;
    const file = `.archon/scripts/${code}.${runtime === 'uv' ? 'py' : 'ts'}`;
    const script = `${run.trim()} '${(isCode ? code : file).replace(/'/g, "'\\''")}'\n`;
    context.report.changed(
      'script',
      isCode ? `step.command that runs it with ${runtime}` : `step.command that runs ${file}`,
    );
    return {
      type: 'step.command',
      config: { script, terminal: false, timeout_seconds: timeoutOf(node, context) },
    };
  },
  loop: convertLoop,
  loop_group: (_, context) =>
    left('loop_group', 'a loop over several nodes is written as the body of a step.loop', context),
  approval: convertApproval,
  cancel(node, context) {
    const reason = convertText((textAt(node, 'cancel') ?? '').trim(), context.names);
    context.report.changed('cancel', told(reason.notes, 'step.cancel with the reason'));
    return { type: 'step.cancel', config: { reason: reason.text === '' ? 'No reason given.' : reason.text } };
  },
  include: (_, context) => left('include', 'another workflow is not put into this one', context),
  workflow: (_, context) => left('workflow', 'a call of another workflow is not carried over', context),
};

function timeoutOf(node: Raw, { report }: NodeContext): number {
  const ms = numberAt(node, 'timeout');
  if (own(node, 'timeout') !== undefined) report.changed('timeout', 'timeout_seconds');
  return Math.max(1, Math.ceil((ms ?? 120_000) / 1000));
}

function convertLoop(node: Raw, context: NodeContext): ConvertedNode {
  const loop = rawAt(node, 'loop') ?? {};
  if (!context.has('step.loop')) return left('loop', 'this Muster has no step.loop', context);
  const name = textAt(loop, 'command');
  const names = { ...context.names, variables: ['LOOP_USER_INPUT', 'LOOP_PREV_OUTPUT'] };
  const text =
    name === null
      ? convertText(textAt(loop, 'prompt') ?? '', names)
      : commandText(name, loop, { ...context, names });
  if (text === null) return left('loop', `there is no command file ${name ?? ''}.md`, context);
  const interactive = own(loop, 'interactive') === true;
  const command = textAt(loop, 'until_bash');
  const script = command === null ? null : convertScript(command, names);
  const config: Record<string, Json> = {
    ...{
      prompt: text.text,
      max_iterations: Math.min(1000, Math.max(1, numberAt(loop, 'max_iterations') ?? 1)),
    },
    session: own(loop, 'fresh_context') === true ? 'fresh' : 'shared',
    ...agentOf(node, context),
    ...(interactive ? { interactive, gate_message: textAt(loop, 'gate_message') ?? 'Go on?' } : {}),
    ...(script === null ? {} : { until_command: script.text }),
  };
  for (const key of ['until', 'until_field']) {
    const value = textAt(loop, key)?.trim();
    if (value !== undefined && value !== '') setOwn(config, key, value);
  }
  context.report.changed(
    'loop',
    told(text.notes, 'step.loop; fresh_context is session, until_bash is until_command'),
  );
  const known = [
    'prompt',
    'command',
    'until',
    'until_bash',
    'until_field',
    'max_iterations',
    'fresh_context',
  ];
  for (const key of Object.keys(loop))
    if (![...known, 'interactive', 'gate_message', 'with'].includes(key))
      context.report.dropped(`loop.${key}`, 'step.loop has no such key');
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
  report.changed('approval', told(notes, 'step.approval'));
  return {
    type: 'step.approval',
    config: {
      message: message.text,
      ...(own(approval, 'capture_response') === true && decisions.length < 2
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

function decisionOf(one: unknown): { id: string; label: string }[] {
  if (typeof one !== 'object' || one === null) return [];
  const raw = one as Raw;
  const id = (textAt(raw, 'id') ?? '').toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return /^[a-z]/.test(id) ? [{ id, label: (textAt(raw, 'label') ?? id).slice(0, 60) }] : [];
}

export const convertNode = (kind: Kind, node: Raw, context: NodeContext): ConvertedNode =>
  CONVERTERS[kind](node, context);

/** The JSON Schema of an answer, where all of it can be enforced. */
export function formatOf(node: Raw, { report }: NodeContext, takesFormat: boolean): JsonSchema | null {
  const format = rawAt(node, 'output_format');
  if (own(node, 'output_format') === undefined) return null;
  const schema = JSON.parse(JSON.stringify(format ?? null)) as JsonSchema | null;
  const [flaw] = schema === null ? [{ path: '', message: 'it is no object' }] : enforceable(schema).flaws;
  if (!takesFormat) report.dropped('output_format', 'this kind of step checks no answer');
  else if (flaw !== undefined) report.dropped('output_format', `${flaw.path} ${flaw.message}`.trim());
  else report.kept('output_format');
  return takesFormat && flaw === undefined ? schema : null;
}
