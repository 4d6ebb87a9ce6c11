import { z } from 'zod';

/** What a `<task-result>` says of itself. A claim: the runtime decides states (SPEC "Teams"). */
export const claimSchema = z.enum(['completed', 'in_progress', 'blocked', 'failed', 'none']);
export type Claim = z.infer<typeof claimSchema>;

/** A piece of what an agent wrote: words, or the inside of a `<task-result>` with what it says of itself (seed 003). */
export type TaskResultPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'result';
      readonly claim: Claim;
      readonly text: string;
      /** A status that is none of the claims, as it was written. */
      readonly unknown?: string;
    };

const TAG = /<(\/?)task-result(\s[^<>]*)?>/gi;
/** Fenced code to its end, and short code within a line: what is there is quoted, not said. */
const CODE =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n {0,3}\1[`~]*[ \t]*(?=\n|$)|$(?![\s\S]))|(`+)(?!`)[^\n]{0,400}?[^`\n]\2(?!`)/gm;
const STATUS = /\bstatus\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const STARTED = /<\/?[a-z-]{0,11}$/i;
const NAMES = ['<task-result', '</task-result'];

/** What a tag's status says, as it was written; null where it says nothing. */
function statusIn(attributes: string): string | null {
  const status = STATUS.exec(attributes);
  const said = (status?.[1] ?? status?.[2] ?? status?.[3] ?? '').trim();
  return said === '' ? null : said;
}

/** What a tag says of itself: one of the claims, in any case and spelling of its spaces; else `none`. */
function claimIn(attributes: string): { readonly claim: Claim; readonly unknown?: string } {
  const said = statusIn(attributes);
  if (said === null) return { claim: 'none' };
  const claim = claimSchema.safeParse(said.toLowerCase().replace(/[\s-]+/g, '_'));
  return claim.success ? { claim: claim.data } : { claim: 'none', unknown: said };
}

/**
 * Splits what an agent wrote at its `<task-result>` tags, so that it can be shown without them. Tags in code stay as
 * they are; an end tag may be missing, as it does while the text streams; pieces without words are left out.
 */
export function taskResultParts(text: string): TaskResultPart[] {
  if (!/<\/?task-result/i.test(text)) return pieceOf({ kind: 'text', text });
  const code = [...text.matchAll(CODE)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const parts: TaskResultPart[] = [];
  let tagged: ReturnType<typeof claimIn> | null = null;
  let from = 0;
  const close = (until: number): void => {
    const piece = text.slice(from, until);
    parts.push(
      ...pieceOf(
        tagged === null ? { kind: 'text', text: piece } : { kind: 'result', ...tagged, text: piece },
      ),
    );
  };
  for (const { index, 0: tag, 1: end, 2: attributes = '' } of text.matchAll(TAG)) {
    if (code.some(([begin, last]) => index > begin && index < last)) continue;
    close(index);
    tagged = end === '/' ? null : claimIn(attributes);
    from = index + tag.length;
  }
  close(text.length);
  return parts;
}

const pieceOf = (part: TaskResultPart): TaskResultPart[] =>
  part.text.trim() === '' ? [] : [{ ...part, text: part.text.trim() }];

/** Without the beginning of a tag that is still to come, while the text streams. */
export function withoutBegunTag(text: string): string {
  const begun = STARTED.exec(text)?.[0].toLowerCase();
  if (begun === undefined) return text.replace(/<task-result\s[^<>]*$/i, '');
  return NAMES.some((name) => name.startsWith(begun)) ? text.slice(0, -begun.length) : text;
}
