import { z } from 'zod';

/** The status in a `<task-result>`. Only a claim: the runtime decides states (SPEC "Teams"). */
export const claimSchema = z.enum(['completed', 'in_progress', 'blocked', 'failed', 'none']);
export type Claim = z.infer<typeof claimSchema>;

/** A part of an agent's text: plain text, or the content of a `<task-result>` with its claim (seed 003). */
export type TaskResultPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'result';
      readonly claim: Claim;
      readonly text: string;
      /** An unknown status, as written. */
      readonly unknown?: string;
    };

const TAG = /<(\/?)task-result(\s[^<>]*)?>/gi;
/** Fenced code and inline code: its content is quoted. */
const CODE =
  /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n {0,3}\1[`~]*[ \t]*(?=\n|$)|$(?![\s\S]))|(`+)(?!`)[^\n]{0,400}?[^`\n]\2(?!`)/gm;
const STATUS = /\bstatus\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const STARTED = /<\/?[a-z-]{0,11}$/i;
const NAMES = ['<task-result', '</task-result'];

/** The status in a tag's attributes, as written; null if there is none. */
function statusIn(attributes: string): string | null {
  const status = STATUS.exec(attributes);
  const said = (status?.[1] ?? status?.[2] ?? status?.[3] ?? '').trim();
  return said === '' ? null : said;
}

/** A tag's claim, ignoring case and spelling of spaces; else `none`. */
function claimIn(attributes: string): { readonly claim: Claim; readonly unknown?: string } {
  const said = statusIn(attributes);
  if (said === null) return { claim: 'none' };
  const claim = claimSchema.safeParse(said.toLowerCase().replace(/[\s-]+/g, '_'));
  return claim.success ? { claim: claim.data } : { claim: 'none', unknown: said };
}

/**
 * Splits an agent's text at its `<task-result>` tags, so that it can be shown without them. Tags in code are
 * kept; an end tag may be missing, as while the text streams; blank parts are dropped.
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

/** The text without a partial tag at its end, for streaming text. */
export function withoutBegunTag(text: string): string {
  const begun = STARTED.exec(text)?.[0].toLowerCase();
  if (begun === undefined) return text.replace(/<task-result\s[^<>]*$/i, '');
  return NAMES.some((name) => name.startsWith(begun)) ? text.slice(0, -begun.length) : text;
}
