import { LINES_SEEN_MS } from '@renderer/limits';
import type { Coloured } from '@renderer/ui/code/highlight';
import { languageOf } from '@renderer/ui/code/highlight-language';
import type { TextRange } from '@renderer/ui/code/word-changes';
import { useEffect, useState } from 'react';
import { type HunkLine, hunkLines, twoSides } from '../../../contract/hunk-lines';
import type { DiffHunk } from '../../../contract/procedures';
import { pairsOf, partnerOf } from './pairs';

/** Lines that are coloured together: enough for a comment over several lines, and a few milliseconds of work. */
const UNIT = 200;

/** What is drawn on lines besides their text: their colours, and the words that changed. */
interface LineMarks {
  readonly coloured: (index: number) => readonly Coloured[] | null;
  readonly changed: (index: number) => readonly TextRange[];
}

const NO_RANGES: readonly TextRange[] = [];

/** What is known of a hunk, so that scrolling back to it works nothing out again. */
class HunkMemory {
  #lines: readonly HunkLine[] | null = null;
  #partner: ((index: number) => number | null) | null = null;
  readonly colours = new Map<number, readonly (readonly Coloured[] | null)[] | null>();
  readonly words = new Map<number, readonly TextRange[]>();

  constructor(private readonly hunk: DiffHunk) {}

  get lines(): readonly HunkLine[] {
    this.#lines ??= hunkLines(this.hunk);
    return this.#lines;
  }

  partner(index: number): number | null {
    this.#partner ??= partnerOf(pairsOf(this.hunk));
    return this.#partner(index);
  }

  readonly marks: LineMarks = {
    coloured: (index) => this.colours.get(Math.floor(index / UNIT))?.[index % UNIT] ?? null,
    changed: (index) => this.words.get(index) ?? NO_RANGES,
  };
}

const memories = new WeakMap<DiffHunk, HunkMemory>();

function memoryOf(hunk: DiffHunk): HunkMemory {
  const memory = memories.get(hunk) ?? new HunkMemory(hunk);
  memories.set(hunk, memory);
  return memory;
}

/** The lines of a hunk, read once. */
export const linesOf = (hunk: DiffHunk): readonly HunkLine[] => memoryOf(hunk).lines;

/** The marks on these lines of a hunk. They are worked out while the window is idle, and drawn when they are there. */
export function useLineMarks(path: string, hunk: DiffHunk, indices: readonly number[]): LineMarks {
  const memory = memoryOf(hunk);
  const [, drawn] = useState(0);
  const first = Math.min(...indices);
  const last = Math.max(...indices);
  useEffect(() => {
    const steps = stepsOf(path, memory, { first, last });
    let idle = 0;
    const work = (deadline: IdleDeadline) => {
      for (let next = steps.next(); ; next = steps.next()) {
        if (next.done) return;
        if (next.value === 'drawn') drawn((now) => now + 1);
        if (next.value instanceof Promise) {
          void next.value.then(() => {
            if (idle >= 0) idle = requestIdleCallback(work);
          });
          return;
        }
        if (deadline.timeRemaining() < 4) break;
      }
      idle = requestIdleCallback(work);
    };
    // Lines that are passed while scrolling get no marks.
    const seen = setTimeout(() => {
      idle = requestIdleCallback(work);
    }, LINES_SEEN_MS);
    return () => {
      clearTimeout(seen);
      cancelIdleCallback(idle);
      idle = -1;
    };
  }, [path, memory, first, last]);
  return memory.marks;
}

type Highlight = typeof import('@renderer/ui/code/highlight');
type Words = typeof import('@renderer/ui/code/word-changes');
let loaded: { readonly highlight: Highlight; readonly words: Words } | null = null;

/** Loaded when the first lines were drawn: neither belongs to the first picture. */
async function load(): Promise<void> {
  const [highlight, words] = await Promise.all([
    import('@renderer/ui/code/highlight'),
    import('@renderer/ui/code/word-changes'),
  ]);
  loaded = { highlight, words };
}

/** The work on some lines in small steps. `drawn`: what was done since is to be drawn. */
function* stepsOf(
  path: string,
  memory: HunkMemory,
  { first, last }: { readonly first: number; readonly last: number },
): Generator<'drawn' | 'step' | Promise<void>> {
  const units: number[] = [];
  for (let unit = Math.floor(first / UNIT); unit <= Math.floor(last / UNIT); unit += 1)
    if (!memory.colours.has(unit)) units.push(unit);
  const pairs: [number, number][] = [];
  for (let index = first; index <= last; index += 1) {
    if (memory.lines[index]?.kind !== 'removed' || memory.words.has(index)) continue;
    const fresh = memory.partner(index);
    if (fresh !== null) pairs.push([index, fresh]);
  }
  if (units.length === 0 && pairs.length === 0) return;
  while (loaded === null) yield load();
  const { highlight, words } = loaded;
  for (const [old, fresh] of pairs) {
    const found = words.wordChanges(memory.lines[old]?.text ?? '', memory.lines[fresh]?.text ?? '');
    memory.words.set(old, found?.old ?? NO_RANGES);
    memory.words.set(fresh, found?.fresh ?? NO_RANGES);
    yield 'step';
  }
  const language = languageOf(path);
  for (const unit of units) {
    memory.colours.set(unit, language === null ? null : coloursOf(language, memory, { unit, highlight }));
    yield 'step';
  }
  yield 'drawn';
}

function coloursOf(
  language: string,
  { lines }: HunkMemory,
  { unit, highlight }: { readonly unit: number; readonly highlight: Highlight },
): readonly (readonly Coloured[] | null)[] {
  const { old, fresh, at } = twoSides(lines.slice(unit * UNIT, (unit + 1) * UNIT));
  const sides = {
    old: highlight.highlightLines(language, old),
    fresh: highlight.highlightLines(language, fresh),
  };
  return at.map((place) => (place && sides[place.side]?.[place.index]) ?? null);
}
