import { whole } from '@contract/bounds';
import { localIdSchema } from '@contract/ids';
import { lazyObject } from '@contract/lazy-object';
import { isLarge, type LargeText, largeTextSchema, type MarkedText, shownText } from '@contract/whole-text';
import { z } from 'zod';

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
  /** The recorded change that is shown in place of the text, as it is when it is looked at. */
  capture: localIdSchema.optional(),
  /** Its whole text, of which only the beginning and the end stand in the stored text. */
  large: largeTextSchema.optional(),
}));
type EvidencePart = z.infer<typeof evidencePartSchema>;

export interface EvidencePiece {
  readonly kind: EvidenceKind;
  readonly title?: string | undefined;
  readonly text: string;
  /** The recorded change that the text shows. */
  readonly capture?: number | undefined;
  /** Stored in place of the text of such a change, which is read when it is looked at. */
  readonly summary?: string | undefined;
  /** The text is only a preview of this one. */
  readonly large?: LargeText | undefined;
}

/** A text of any size as a piece. */
export const largePiece = (kind: EvidenceKind, text: MarkedText, title?: string): EvidencePiece => ({
  kind,
  ...(title === undefined ? {} : { title }),
  text: shownText(text),
  ...(isLarge(text) ? { large: text } : {}),
});

interface StoredEvidence {
  readonly evidence: string | null;
  readonly evidence_parts?: EvidencePart[] | undefined;
}

const heading = (title: string): string => `───── ${title} ─────\n`;

/** The pieces in stored form: one text that is readable by itself, and the position of each piece in it. */
export function storedEvidence(pieces: readonly EvidencePiece[] | null): StoredEvidence {
  if (pieces === null || pieces.length === 0) return { evidence: null };
  let evidence = '';
  const parts = pieces.map(({ kind, title, text, capture, large, summary = text }): EvidencePart => {
    if (evidence !== '') evidence += '\n\n';
    if (title !== undefined && pieces.length > 1) evidence += heading(title);
    const from = evidence.length;
    evidence += capture === undefined ? text : summary;
    const place = { from, to: evidence.length };
    return {
      kind,
      ...(title !== undefined && { title }),
      ...place,
      ...(capture !== undefined && { capture }),
      ...(large !== undefined && { large }),
    };
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
  return parts.map(({ kind, title, from, to, capture, large }) => ({
    kind,
    title,
    text: evidence.slice(from, to),
    ...(capture !== undefined && { capture }),
    ...(large !== undefined && { large }),
  }));
}
