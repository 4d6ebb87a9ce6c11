import { call } from '@renderer/client/rpc';
import { say } from '@renderer/client/toasts';
import { useMemo, useState } from 'react';
import type { DiffFile } from '../../../contract/procedures';
import type { DiffSource } from '../opened-files';
import type { Gap, Unfolded } from './desk-rows';
import { MORE_LINES } from './gap-buttons';

export interface Context {
  /** Null: the lines around the changes cannot be read here. */
  readonly texts: ReadonlyMap<string, readonly string[]> | null;
  readonly unfolded: ReadonlyMap<string, Unfolded>;
  /** Shows lines of a gap: at an edge, or all of it. */
  readonly show: (file: DiffFile, gap: Gap, edge: 'upper' | 'lower' | null) => Promise<void>;
  readonly isWhole: (file: DiffFile) => boolean;
  readonly toggleWhole: (file: DiffFile) => Promise<void>;
}

const ALL: Unfolded = { upper: Number.MAX_SAFE_INTEGER, lower: 0 };

/** The text of a changed file by what it holds: an edited file is read again. */
const keyOf = ({ path, content }: DiffFile): string => content ?? path;

/** The unchanged lines that were unfolded, read when the first of a file is wanted. */
export function useContext(files: readonly DiffFile[], source: DiffSource | null): Context {
  const [read, setRead] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [unfolded, setUnfolded] = useState<ReadonlyMap<string, Unfolded>>(new Map());
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const readable = source !== null;
  const texts = useMemo(() => (readable ? textsOf(files, read) : null), [files, read, readable]);
  const load = async (file: DiffFile): Promise<boolean> => {
    if (read.has(keyOf(file))) return true;
    if (source === null) return false;
    const found = await call('workspace.file', { ...source, path: file.path, as: 'text' });
    const side = found.ok ? (found.value.fresh ?? found.value.old) : null;
    if (side?.text == null) {
      say(found.ok ? `${file.path} is too large to show more of it here.` : found.error.message);
      return false;
    }
    const lines = linesIn(side.text);
    setRead((now) => new Map(now).set(keyOf(file), lines));
    return true;
  };
  const gapsOf = (file: DiffFile) =>
    Array.from({ length: file.hunks.length + 1 }, (_, at) => `${file.path} ${at}`);
  return {
    texts,
    unfolded,
    show: async (file, gap, edge) => {
      if (!(await load(file))) return;
      setUnfolded((now) => {
        const { upper = 0, lower = 0 } = now.get(gap.id) ?? {};
        const more =
          edge === null
            ? ALL
            : edge === 'upper'
              ? { upper: upper + MORE_LINES, lower }
              : { upper, lower: lower + MORE_LINES };
        return new Map(now).set(gap.id, more);
      });
    },
    isWhole: (file) => whole.has(keyOf(file)),
    toggleWhole: async (file) => {
      const shown = whole.has(keyOf(file));
      if (!shown && !(await load(file))) return;
      setWhole((now) => toggled(now, keyOf(file), !shown));
      setUnfolded((now) => {
        const next = new Map(now);
        for (const id of gapsOf(file)) {
          if (shown) next.delete(id);
          else next.set(id, ALL);
        }
        return next;
      });
    },
  };
}

function textsOf(
  files: readonly DiffFile[],
  read: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  for (const file of read.size === 0 ? [] : files) {
    const text = read.get(keyOf(file));
    if (text !== undefined) texts.set(file.path, text);
  }
  return texts;
}

function toggled(set: ReadonlySet<string>, key: string, to: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (to) next.add(key);
  else next.delete(key);
  return next;
}

function linesIn(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
