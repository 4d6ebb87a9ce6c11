import { useHandlers } from '@renderer/client/hooks';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { firstChange } from '../../../contract/hunk-lines';
import type { DiffFile } from '../../../contract/procedures';
import { type DeskRow, nextRow } from './desk-rows';
import { linesOf } from './line-marks';
import type { Desk } from './use-desk';

interface DeskKeys {
  readonly keys: 'page' | 'focus';
  readonly fill: boolean;
}

const DESK = '[data-part="desk"]';

/** The keys of a desk. Of several on a page they apply to the one with the focus, else to the first. */
export function useDeskKeys(desk: Desk, { keys, fill }: DeskKeys): void {
  const holdsFocus = () => {
    const { activeElement } = document;
    if (desk.ref.current?.contains(activeElement)) return true;
    // The pane that it fills may have the focus before it is there.
    return fill && activeElement?.matches('[data-nav]') === true && activeElement.contains(desk.ref.current);
  };
  const isMeant = () => {
    if (holdsFocus()) return true;
    const elsewhere =
      document.activeElement?.closest(DESK) != null || document.querySelector('dialog[open]') !== null;
    return keys === 'page' && !elsewhere && document.querySelector(DESK) === desk.ref.current;
  };
  // A key that moves in the desk brings the focus with it, and with it the keys that decide.
  const inDesk = (act: () => void) => () => {
    desk.ref.current?.focus({ preventScroll: true });
    act();
  };
  useHandlers(movesOf(desk, inDesk), isMeant, 'focused');
  useHandlers({ ...(fill && listKeysOf(desk)), ...decisionsOf(desk) }, holdsFocus, 'focused');
}

/** In a place of its own the desk moves by the keys of a list, too. */
const listKeysOf = (desk: Desk) => ({
  'change.down': () => desk.step(1),
  'change.up': () => desk.step(-1),
});

function decisionsOf(desk: Desk) {
  const { now, marks } = desk;
  const hunk = hunkOf(desk);
  const decision = hunk && marks.decisionOf(hunk.file, hunk.hunk);
  const takeFile = marks.takeBackFile;
  return {
    'change.keep': decision ? () => decision.keep(true) : null,
    'change.takeBack':
      now?.kind === 'file' && takeFile !== null ? () => takeFile(now.file) : (decision?.takeBack ?? null),
  };
}

function movesOf(desk: Desk, inDesk: (act: () => void) => () => void) {
  const { now, marks, rows, review } = desk;
  const hunk = hunkOf(desk);
  const file = now?.file ?? null;
  const toFile = (by: 1 | -1) =>
    inDesk(() => {
      const row = nextRow(rows, 'file', { from: now?.key ?? null, by });
      if (row !== null) desk.reveal(row.key);
    });
  return {
    'change.next': inDesk(() => desk.step(1)),
    'change.previous': inDesk(() => desk.step(-1)),
    'change.nextFile': toFile(1),
    'change.previousFile': toFile(-1),
    'change.viewed': marks.view && inDesk(() => viewAndGo(desk)),
    'change.undo': marks.last && inDesk(marks.undo),
    'change.comment': review && (() => comment(desk)),
    'change.fold': file && (() => desk.fold(file.path, !desk.isFolded(file))),
    'change.whole': file && desk.context.texts !== null ? () => desk.toggleWhole(file) : null,
    'change.open':
      file && desk.folder !== null
        ? () =>
            openInEditor(
              `${desk.folder}/${file.path}`,
              Math.max(1, (hunk?.hunk ?? file.hunks[0])?.newStart ?? 1),
            )
        : null,
    'change.layout': desk.flipLayout,
    'change.find': desk.find.show,
    'change.filter': desk.tree && (() => filter(desk)),
  };
}

type HunkRow = Extract<DeskRow, { kind: 'hunk' | 'lines' }>;

const hunkOf = ({ now }: Desk): HunkRow | null => (now?.kind === 'hunk' ? now : null);

/** Marks the file as viewed, and goes to the next one that is not. */
function viewAndGo(desk: Desk): void {
  const { files, marks } = desk;
  const file = desk.now?.file ?? files[0];
  if (file === undefined) return;
  const at = files.findIndex(({ path }) => path === file.path);
  const viewed = !marks.isViewed(file);
  desk.view(file, viewed);
  const isNext = (one: DiffFile) => !marks.isViewed(one) && one.path !== file.path;
  const next = files.slice(at + 1).find(isNext) ?? files.find(isNext);
  if (viewed && next !== undefined) desk.goToFile(next.path);
}

/** A comment on the hunk that the keys apply to: of a file its first one. */
function comment(desk: Desk): void {
  const { rows, now } = desk;
  const row = hunkOf(desk) ?? nextRow(rows, 'hunk', { from: now?.key ?? null, by: 1 });
  if (row?.kind !== 'hunk') return;
  desk.reveal(row.key);
  desk.write(row.key, firstChange(linesOf(row.hunk)));
}

function filter(desk: Desk): void {
  if (desk.tree?.shown === false) desk.tree.toggle();
  requestAnimationFrame(() => desk.filterField.current?.focus());
}
