import { z } from 'zod';
import { whole } from '../bounds';
import { lazyObject } from '../lazy-object';

/**
 * The kind of a text decides how it is shown. `output`: printed by a program. `findings` (`findings.ts`),
 * `tests` (`test-results.ts`) and `files` (`file-list.ts`): JSON of a known form. `text`: shown line by line,
 * unchanged.
 */
export const evidenceKindSchema = z.enum([
  'text',
  'markdown',
  'diff',
  'output',
  'findings',
  'tests',
  'files',
  'json',
]);
export type EvidenceKind = z.infer<typeof evidenceKindSchema>;

/** One part of a gate's evidence: its kind, name, and position in the stored text. */
export const evidencePartSchema = lazyObject(() => ({
  kind: evidenceKindSchema,
  title: z.string().optional(),
  from: whole().nonnegative(),
  to: whole().nonnegative(),
}));
type EvidencePart = z.infer<typeof evidencePartSchema>;

export interface EvidencePiece {
  readonly kind: EvidenceKind;
  readonly title?: string | undefined;
  readonly text: string;
}

interface StoredEvidence {
  readonly evidence: string | null;
  readonly evidence_parts?: EvidencePart[] | undefined;
}

const heading = (title: string): string => `───── ${title} ─────\n`;

/** The pieces in stored form: one text that is readable by itself, and the position of each piece in it. */
export function storedEvidence(pieces: readonly EvidencePiece[] | null): StoredEvidence {
  if (pieces === null || pieces.length === 0) return { evidence: null };
  let evidence = '';
  const parts = pieces.map(({ kind, title, text }): EvidencePart => {
    if (evidence !== '') evidence += '\n\n';
    if (title !== undefined && pieces.length > 1) evidence += heading(title);
    const from = evidence.length;
    evidence += text;
    return { kind, ...(title !== undefined && { title }), from, to: evidence.length };
  });
  return { evidence, evidence_parts: parts };
}

/**
 * The pieces of stored evidence. `otherwise` is the kind for events of earlier versions, which store none.
 */
export function evidencePieces(
  { evidence, evidence_parts: parts }: StoredEvidence,
  otherwise: EvidenceKind,
): EvidencePiece[] {
  if (evidence === null) return [];
  if (parts === undefined || parts.length === 0) return [{ kind: otherwise, text: evidence }];
  return parts.map(({ kind, title, from, to }) => ({ kind, title, text: evidence.slice(from, to) }));
}
