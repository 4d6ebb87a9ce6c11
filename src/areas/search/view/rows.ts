import type { SearchHit, SearchKind, TerminalHit } from '@areas/feed/contract/procedures';
import type { Icon } from '@renderer/ui/controls/icon';
import type { ListRow } from '@renderer/ui/lists/list';
import { FileSearch, Hand, ListTree, Mail, MessageSquareText, Rss, SquareTerminal } from 'lucide-react';
import { placeOfHit, placeOfTerminal } from './hit-place';

/** The kind of a searched text, with its name in the filter and on a row. */
export type SearchScope = SearchKind | 'terminal';
export const SCOPES: readonly { readonly id: SearchScope; readonly many: string; readonly one: string }[] = [
  { id: 'turn', many: 'Prompts and answers', one: 'Turn' },
  { id: 'message', many: 'Messages', one: 'Message' },
  { id: 'gate', many: 'Questions', one: 'Question' },
  { id: 'update', many: 'Updates', one: 'Update' },
  { id: 'run', many: 'Runs', one: 'Run' },
  { id: 'terminal', many: 'Terminal output', one: 'Terminal' },
];

const ICONS: Record<SearchScope, Icon> = {
  turn: MessageSquareText,
  message: Mail,
  gate: Hand,
  update: Rss,
  run: ListTree,
  terminal: SquareTerminal,
};

export const scopeOf = (text: string | undefined): SearchScope | null =>
  SCOPES.find(({ id }) => id === text)?.id ?? null;

export interface HitRow extends ListRow {
  readonly icon: Icon;
  readonly kind: string;
  readonly excerpt: string;
  readonly runName: string;
  readonly at: number;
  readonly hash: string;
}

const HEIGHT = 46;
const wordOf = (scope: SearchScope): string => SCOPES.find(({ id }) => id === scope)?.one ?? '';

export const hitRow = (hit: SearchHit, find: string): HitRow => ({
  key: `${hit.kind}/${hit.eventId}`,
  height: HEIGHT,
  icon: ICONS[hit.kind] ?? FileSearch,
  kind: wordOf(hit.kind),
  excerpt: hit.excerpt,
  runName: hit.runName,
  at: hit.at,
  hash: placeOfHit(hit, find),
});

export const terminalRow = (hit: TerminalHit, index: number, find: string): HitRow => ({
  key: `terminal/${hit.runId}/${hit.terminal}/${index}`,
  height: HEIGHT,
  icon: ICONS.terminal,
  kind: wordOf('terminal'),
  excerpt: hit.excerpt,
  runName: hit.runName,
  at: hit.openedAt,
  hash: placeOfTerminal(hit, find),
});
