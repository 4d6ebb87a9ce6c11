import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { counted } from '@contract/counted';
import { readable } from '../command/git-command';
import type { Examined, ExaminedFile } from './examine';
import type { MoveEntry } from './journal';

const MOST_LISTED = 500;

export function interruptedView(
  entry: MoveEntry,
  seen: Examined | null,
): Omit<InterruptedCheckout, 'running'> & { running: boolean } {
  const files = (seen?.files ?? []).flatMap(({ path, state }) =>
    state === 'either' ? [] : [{ path: readable(path), state }],
  );
  const count = (wanted: string) => files.filter(({ state }) => state === wanted).length;
  const counts = {
    after: count('after'),
    before: count('before'),
    half: count('half'),
    yours: count('yours'),
  };
  const order = ['half', 'yours', 'after', 'before'];
  const view = {
    id: entry.id,
    what: entry.what,
    path: entry.top,
    startedAt: entry.startedAt,
    running: seen === null,
    counts,
    files: files
      .sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
      .slice(0, MOST_LISTED),
    headMoved: seen?.head === 'after',
    locked: (seen?.locks.length ?? 0) > 0,
  };
  return { ...view, text: textOf(view, entry) };
}

function textOf(view: Omit<InterruptedCheckout, 'text'>, { kind }: MoveEntry): string {
  const { path, what, counts } = view;
  if (view.running) return `Git is still changing the checkout ${path}: ${what}.`;
  const total = counts.after + counts.before + counts.half + counts.yours;
  const parts = [
    `${counts.after} of ${counted(total, 'file')} ${counts.after === 1 ? 'has' : 'have'} the new content`,
    ...(counts.before > 0 ? [`${counts.before} the old one`] : []),
    ...(counts.half > 0 ? [`${counts.half} ${counts.half === 1 ? 'is' : 'are'} missing or incomplete`] : []),
    ...(counts.yours > 0
      ? [`${counts.yours} ${counts.yours === 1 ? 'holds' : 'hold'} changes of yours`]
      : []),
  ];
  const head =
    kind === 'files' ? '' : ` HEAD ${view.headMoved ? 'has moved to the new commit' : 'has not moved'}.`;
  const lock = view.locked ? ' A lock file was left behind.' : '';
  return `The checkout ${path} is half changed, because this was interrupted: ${what}. ${parts.join(', ')}.${head}${lock} Finish it or roll it back. Both keep your own changes.`;
}

export function doneText(
  how: 'finish' | 'roll_back',
  { what, top }: MoveEntry,
  files: readonly ExaminedFile[],
) {
  const yours = files.filter(({ state }) => state === 'yours').map(({ path }) => readable(path));
  const done = how === 'finish' ? 'Finished' : 'Rolled back';
  const left =
    yours.length === 0
      ? ''
      : ` Left as you changed ${yours.length === 1 ? 'it' : 'them'}: ${yours.slice(0, 10).join(', ')}${yours.length > 10 ? `, and ${yours.length - 10} more` : ''}.`;
  return `${done} in ${top}: ${what}.${left}`;
}
