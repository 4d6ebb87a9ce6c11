import { fitOf } from '@renderer/client/search/search-words';
import type { ReactNode } from 'react';
import type { Icon } from '../../ui/controls/icon';

/** An action or address in the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly group: string;
  readonly icon: Icon;
  readonly title: string;
  /** Other words by which it is found. */
  readonly others: string;
  /** Shown after the title. */
  readonly mark?: ReactNode;
  readonly end?: ReactNode;
  readonly run: () => void;
}

interface PaletteGroup {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

/** Entries of a group that are listed; typing narrows them. */
const MOST_ENTRIES = 30;
const MOST_UNASKED = 8;

/** The matching entries, the best first; a group is at the position of its best entry. */
export function grouped(entries: readonly PaletteEntry[], text: string): PaletteGroup[] {
  const searching = text.trim() !== '';
  const ranked = entries
    .map((entry) => ({ entry, score: searching ? fitOf(entry.title, entry.others, text) : 1 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const groups = new Map<string, PaletteEntry[]>();
  for (const { entry } of ranked) {
    const group = groups.get(entry.group) ?? [];
    if (group.length < (searching || entry.group === HERE ? MOST_ENTRIES : MOST_UNASKED)) group.push(entry);
    groups.set(entry.group, group);
  }
  return [...groups].map(([heading, entries]) => ({ heading, entries }));
}

export const HERE = 'Here';
