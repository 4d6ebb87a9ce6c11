import { requesterWords } from '@areas/gates/contract/requester';
import type { StoredBundle } from '@areas/workflows/contract/definition';
import { ownValue } from '@contract/own';
import type { RunRow } from '@contract/run/procedures';
import { ownerOf, scopeOf, stepDefinition } from '@contract/run/scope/path';
import type { RunState, TurnState } from '@contract/run/state';
import { activationWaits } from '@contract/run/waiting';
import { sizeWords } from '@contract/size-words';
import { cutWords, shownText } from '@contract/whole-text';
import { columns, counted, cut, shownName } from './columns';
import type { Telling } from './event-line';
import { gateLines } from './gate-lines';
import { type Style, statusWord } from './style';
import { dayAndTime, duration } from './time';

const PREVIEW = 100;

export function overviewLines(
  { row, state }: { row: RunRow; state: RunState },
  { style, again, live }: Telling & { readonly live: boolean },
): string[] {
  const gates = Object.values(state.gates).filter((gate) => gate.status === 'open');
  const outputs = outputRows(state);
  return [
    `${style.bold(`Run ${row.id}  ${shownName(row.name)}`)}  ${statusWord(style, row.status, live)}${row.reason === null ? '' : `: ${row.reason}`}`,
    ...unreadableLines(row, style),
    ...columns(factRows(row, state), { indent: '  ' }),
    '',
    style.bold('Steps'),
    ...columns(stepRows(state, style, live), { indent: '  ' }),
    ...gates.flatMap((gate) => {
      const [head = '', ...rest] = gateLines({ ...gate, runId: row.id, gateId: gate.id }, again);
      const who = requesterWords({ asker: gate.asker, agent: null });
      return ['', who === null ? head : `${head}  ${style.dim(who)}`, ...rest];
    }),
    ...(outputs.length > 0 ? ['', style.bold('Outputs'), ...columns(outputs, { indent: '  ' })] : []),
  ];
}

const unreadableLines = ({ id, unreadable }: RunRow, style: Style): string[] =>
  unreadable === undefined
    ? []
    : [
        style.bad(`Its history cannot be read from event ${unreadable.seq} on (${unreadable.why}).`),
        `What is shown is as it was before that event. "muster export ${id} FILE" keeps all of it, "muster cancel ${id}" ends it.`,
      ];

function factRows(row: RunRow, state: RunState): string[][] {
  const { workspace, spend } = state;
  const inputs = Object.entries(state.references.inputs).map(([name, value]) => `${name}=${value}`);
  return [
    ['uid', row.uid],
    ['project', `${row.projectName}  ${state.projectPath}`],
    ['file', state.sourceFile ?? '-'],
    ['started', dayAndTime(row.startedAt)],
    row.finishedAt === null
      ? ['now', row.now ?? '-']
      : ['ended', `${dayAndTime(row.finishedAt)}, after ${duration(row.finishedAt - row.startedAt)}`],
    ...(workspace === null
      ? []
      : [['workspace', `${workspace.path}${workspace.branch === null ? '' : `  ${workspace.branch}`}`]]),
    ...(workspace?.notes ?? []).map((note) => ['lacks', note]),
    ['spent', spentWords(spend)],
    ...(state.instruction === '' ? [] : [['instruction', preview(state.instruction)]]),
    ...(inputs.length === 0 ? [] : [['inputs', preview(inputs.join('  '))]]),
  ];
}

/** Unreported amounts are never shown as zero. */
function spentWords({ tokens, cost_usd, untold }: RunState['spend']): string {
  const quiet = untold === 0 ? '' : `${counted(untold, 'turn')} did not report it`;
  if (tokens === 0 && cost_usd === 0 && untold > 0) return quiet;
  return `${tokens} tokens, $${cost_usd.toFixed(4)}${quiet === '' ? '' : `, ${quiet}`}`;
}

function stepRows(state: RunState, style: Style, live: boolean): string[][] {
  const works = live ? 'running' : 'parked';
  return shownSteps(state).map(({ id, type }) => {
    const step = ownValue(state.steps, id);
    const last = state.activations[step?.activationIds.at(-1) ?? 0];
    if (step?.skipped != null) return [id, style.dim('skipped'), type, style.dim(step.skipped)];
    if (last === undefined) return [id, style.dim('-'), type];
    const word = last.outcome ?? (activationWaits(state, last) ? 'waiting' : works);
    const attempts = last.attempt > 1 ? `attempt ${last.attempt}` : '';
    const turns = last.turnIds.length > 0 ? counted(last.turnIds.length, 'turn') : '';
    const took = last.finishedAt === null ? '' : duration(last.finishedAt - last.startedAt);
    const { opened = 0, failed = 0 } = last.scopes ?? {};
    const scopes = failed > 0 ? `${failed} of ${opened} failed` : '';
    const details = [attempts, turns, took, scopes, last.error?.message ?? '']
      .filter((part) => part !== '')
      .join(', ');
    return [id, last.outcome === 'failed' ? style.bad(word) : word, type, details];
  });
}

/** The workflow's steps in start order, each followed by those of its scopes. */
function shownSteps(state: RunState): { readonly id: string; readonly type: string }[] {
  const scoped = new Map<string, string[]>();
  for (const key of Object.keys(state.steps)) {
    if (scopeOf(key) === null) continue;
    const owner = ownerOf(key.split('/')[0] ?? '');
    const keys = scoped.get(owner);
    if (keys === undefined) scoped.set(owner, [key]);
    else keys.push(key);
  }
  return state.definition.steps.flatMap(({ id, type }) => [
    { id, type },
    ...(scoped.get(id) ?? []).map((key) => ({ id: key, type: stepDefinition(state, key)?.type ?? '' })),
  ]);
}

/** The first line of each port's content. */
function outputRows(state: RunState): string[][] {
  return shownSteps(state).flatMap(({ id }) => {
    const last = state.activations[ownValue(state.steps, id)?.activationIds.at(-1) ?? 0];
    return Object.entries(last?.outputs ?? {}).map(([port, bundle]) => [`${id}.${port}`, previewOf(bundle)]);
  });
}

/** Of a large or cut one with its size, because a line tells nothing about that. */
function previewOf(bundle: StoredBundle): string {
  if ('cut' in bundle) return `${preview(shownText(bundle.cut.shown))} (${cutWords(bundle.cut)})`;
  if ('large' in bundle) return `${preview(bundle.large.preview.first)} (${sizeWords(bundle.large.bytes)})`;
  const { content } = bundle;
  return preview(typeof content === 'string' ? content : JSON.stringify(content));
}

const preview = (text: string): string => cut(text.trim().split('\n')[0] ?? '', PREVIEW);

/** One prompt and its whole answer. */
export function turnLines(turn: TurnState, state: RunState, style: Style): string[] {
  const step = state.activations[turn.activationId]?.stepId ?? '';
  return [
    '',
    style.bold(`Turn ${turn.id}  ${step}  ${turn.ordinal + 1}/${turn.of} ${turn.kind}  ${turn.status}`),
    ...turn.prompt.split('\n').map((text) => `  > ${text}`.trimEnd()),
    ...turn.attachments.map(({ name, path }) => `  + ${name} (${path})`),
    ...shownText(turn.response)
      .split('\n')
      .map((text) => `  ${text}`.trimEnd()),
    ...(turn.error === null ? [] : [style.bad(`  ${turn.error.message}`)]),
  ];
}
