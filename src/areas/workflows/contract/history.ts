import { ONE_EDIT_MS } from '@contract/limits';
import { applyHunks, type Hunk, hunksBetween } from './hunks';

/** One undo or redo step: its change of the text, and the group of typing it belongs to. */
interface Step {
  readonly hunks: readonly Hunk[];
  readonly group: string | null;
  readonly at: number;
}

/** A text with its undo and redo steps, newest last. */
export interface TextHistory {
  readonly text: string;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

const MOST_STEPS = 500;

export const newHistory = (text: string): TextHistory => ({ text, past: [], future: [] });

/** The text after a change. Changes of one `group` in quick succession are undone together. */
export function recorded(
  history: TextHistory,
  text: string,
  { group = null, at }: { group?: string | null; at: number },
): TextHistory {
  if (text === history.text) return history;
  const last = history.past.at(-1);
  const typing =
    group !== null && last?.group === group && at - last.at < ONE_EDIT_MS && history.future.length === 0;
  const before = typing ? applyHunks(history.text, last.hunks) : history.text;
  const past = typing ? history.past.slice(0, -1) : history.past;
  const step = { hunks: hunksBetween(text, before), group, at };
  return { text, past: [...past, step].slice(-MOST_STEPS), future: [] };
}

/** The text before its newest change; null if there is nothing to undo. */
export function undone({ text, past, future }: TextHistory): TextHistory | null {
  const step = past.at(-1);
  if (step === undefined) return null;
  const before = applyHunks(text, step.hunks);
  const forward = { ...step, hunks: hunksBetween(before, text) };
  return { text: before, past: past.slice(0, -1), future: [...future, forward] };
}

export function redone({ text, past, future }: TextHistory): TextHistory | null {
  const step = future.at(-1);
  if (step === undefined) return null;
  const after = applyHunks(text, step.hunks);
  const back = { ...step, hunks: hunksBetween(after, text) };
  return { text: after, past: [...past, back], future: future.slice(0, -1) };
}

/**
 * The history after an external change of the text. Steps for other lines are kept and adapted; steps for the
 * same lines, and those behind them, are dropped.
 */
export function changedOutside(history: TextHistory, text: string): TextHistory {
  if (text === history.text) return history;
  const change = hunksBetween(history.text, text);
  return { text, past: moved(history.past, change), future: moved(history.future, change) };
}

function moved(steps: readonly Step[], change: readonly Hunk[]): Step[] {
  const kept: Step[] = [];
  let over: readonly Hunk[] = change;
  for (const step of [...steps].reverse()) {
    const hunks = movedBy(step.hunks, over);
    const next = movedBy(over, step.hunks);
    if (hunks === null || next === null) break;
    kept.push({ ...step, hunks });
    over = next;
  }
  return kept.reverse();
}

/** Translates hunks of a text to the same text after other hunks; null if they touch. */
function movedBy(hunks: readonly Hunk[], others: readonly Hunk[]): Hunk[] | null {
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    let shift = 0;
    for (const { from, to, text } of others) {
      if (from <= hunk.to && hunk.from <= to) return null;
      if (to < hunk.from) shift += text.length - (to - from);
    }
    result.push({ ...hunk, from: hunk.from + shift, to: hunk.to + shift });
  }
  return result;
}
