import type { AppError } from '@contract/errors';
import type { ShownResult } from '@contract/run/results/results';
import { notReturned } from '@contract/run/results/returned-output';
import { isElsewhere } from '@contract/run/results/shown-results';
import type { RunState } from '@contract/run/state';
import { counted } from './columns';
import type { Telling } from './event-line';
import { evidenceLines, oneLine } from './evidence-lines';
import type { Style } from './style';
import type { ReturnedText } from './whole-returned';

interface Results {
  readonly state: RunState;
  readonly results: readonly ShownResult[];
  /** Why they are unknown. */
  readonly trouble: AppError | null;
}

/** The workflow's whole result; or that there is none, and why. */
export function returnedLines(returned: ReturnedText | null, state: RunState, style: Style): string[] {
  if (returned !== null)
    return ['', style.bold(`Returns the output of ${returned.step}`), ...evidenceLines([returned])];
  const nothing = notReturned(state);
  return nothing === null
    ? []
    : ['', style.bold('Returns nothing'), `  The step ${nothing.step} ${oneLine(nothing.why)}`];
}

/** Where a finished run's work is, and the command that applies it to the checkout. */
export function resultLines(runId: number, { state, results, trouble }: Results, telling: Telling): string[] {
  const { style } = telling;
  if (trouble !== null) return ['', style.bold('Result'), `  ${style.bad(trouble.message)}`];
  const shown = results.filter(
    ({ state, note }) => state !== 'included' && (state !== 'empty' || note !== null),
  );
  if (shown.length === 0) {
    if (isElsewhere(state, results))
      return [
        '',
        style.bold('Result'),
        `  Its folders and branches are not on this machine, or its project is no longer in ${state.projectPath}.`,
      ];
    const empty = results.some(({ state }) => state === 'empty');
    return empty ? ['', style.bold('Result'), '  No files were changed.'] : [];
  }
  return [
    '',
    style.bold(shown.length === 1 ? 'Result' : 'Results'),
    ...shown.flatMap(oneResult(runId, telling)),
  ];
}

const oneResult =
  (runId: number, { style, again }: Telling) =>
  (result: ShownResult): string[] => {
    const { path, branch, commit, files, uncommitted, note, address, state, applied, unread, unsettled } =
      result;
    const lines = [
      ...(address === null ? [] : [address]),
      `folder  ${path}`,
      ...(commit === null ? [] : [`branch  ${branch ?? '(none)'}`, `commit  ${commit}`]),
      ...(state === 'folder' || state === 'unreadable'
        ? []
        : [`changed ${counted(files, 'file')}${leftOpen(uncommitted)}`]),
      ...(note === null ? [] : [style.waits(note)]),
      ...troubleLines(unread ?? unsettled, style),
    ];
    if (state === 'applied')
      lines.push(
        applied === null || applied.commit === null
          ? 'Your checkout has it already.'
          : `Applied to ${applied.target} as ${applied.commit.slice(0, 12)}${applied.signed ? ', signed' : ''}.`,
      );
    if (state === 'to_apply' && unsettled === null) {
      const step = address === null ? [] : ['--step', address];
      lines.push(`Bring it into your checkout:  ${again('apply', String(runId), ...step)}`);
    }
    return lines.map((line, index) => (address !== null && index > 0 ? `    ${line}` : `  ${line}`));
  };

const troubleLines = (trouble: AppError | null, style: Style): string[] =>
  trouble === null ? [] : [style.bad(trouble.message), ...(trouble.mend === undefined ? [] : [trouble.mend])];

const leftOpen = (uncommitted: number): string =>
  uncommitted === 0
    ? ''
    : `; Muster committed ${counted(uncommitted, 'file')} that the agents had left uncommitted`;
