import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { ListRow } from '@renderer/ui/lists/list';
import type { PromptPiece, PromptRow } from '../contract/procedures';

export type PromptListRow =
  | (ListRow & { readonly heading: true; readonly title: string })
  | (ListRow & { readonly heading?: false; readonly prompt: PromptRow });

const ROW = 48;
const HEADING = 34;

/** Each set with its prompts; a set without a match is left out. */
export function promptRows(prompts: readonly PromptRow[], search: string): PromptListRow[] {
  const wanted = search.trim().toLowerCase();
  const found = prompts.filter((row) =>
    `${row.id} ${row.title} ${row.purpose} ${row.file}`.toLowerCase().includes(wanted),
  );
  const sets = new Map(found.map(({ set }) => [set.id, set.title]));
  return [...sets].flatMap(([id, title]): PromptListRow[] => [
    { key: `set/${id}`, height: HEADING, heading: true, title },
    ...found
      .filter(({ set }) => set.id === id)
      .map((prompt): PromptListRow => ({ key: prompt.id, height: ROW, prompt })),
  ]);
}

/**
 * Stands for Muster's own texts in an address, instead of a project's number; they apply where no override
 * exists.
 */
export const OWN = 'muster';

/**
 * The project in an address, otherwise the first one; null for Muster's own texts, undefined for a removed
 * project.
 */
export function projectOf(
  selected: string | undefined,
  projects: readonly ProjectRow[],
): number | null | undefined {
  if (selected === OWN) return null;
  if (selected === undefined) return projects[0]?.id ?? null;
  return projects.find(({ id }) => String(id) === selected)?.id;
}

/** The pieces of a text by line. A text piece is split at line breaks; no other kind contains any. */
export function linesOf(pieces: readonly PromptPiece[]): PromptPiece[][] {
  const lines: PromptPiece[][] = [[]];
  for (const { kind, raw } of pieces) {
    for (const [index, part] of raw.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, raw: part });
    }
  }
  return lines;
}
