import { type FoundReference, referenceAt } from '../reference';
import type { PlacedReference, Quoting } from './place';

interface HereDocument {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly tabs: boolean;
}

/** A list of commands: the script, or the content of `$(...)`, `(...)` or backquotes. */
interface Frame {
  readonly end: ')' | '`' | null;
  /** Open brackets and `case`, innermost last. */
  readonly open: ('(' | 'case')[];
  words: string[];
  word: string;
  /** Here-documents whose text begins at the next line. */
  pending: HereDocument[];
  /** Backquotes inside double quotes: quotes have no defined meaning there. */
  readonly unsettled: boolean;
}

const MOST_NESTED = 200;
const BLANK = new Set([' ', '\t']);
const SEPARATOR = new Set([';', '&', '|', '\n']);
/** Keywords after which a new command begins. */
const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', 'time']);

/**
 * Finds the references in a shell script and their quoting contexts. Supports the common syntax of dash and
 * bash.
 */
export function scanScript(script: string): readonly PlacedReference[] {
  return new Scanner(script).scan();
}

class Scanner {
  private at = 0;
  /** The end of the text being read: of the script, or of a here-document. */
  private limit: number;
  private nested = 0;
  private inArithmetic = 0;
  private inExpansion = 0;
  private readonly placed: PlacedReference[] = [];

  constructor(private readonly text: string) {
    this.limit = text.length;
  }

  scan(): readonly PlacedReference[] {
    while (this.at < this.limit) this.commands(frameTo(null));
    return this.placed;
  }

  private commands(frame: Frame): void {
    while (this.at < this.limit) {
      const char = this.text[this.at] ?? '';
      if (char === frame.end) this.flush(frame);
      if (char === frame.end && this.closes(frame)) return;
      if (char === '\n') this.newline(frame);
      else if (BLANK.has(char)) this.skip(frame, 1);
      else if (SEPARATOR.has(char)) this.separate(frame);
      else if (char === '#' && frame.word === '') this.at = this.lineEnd(frame);
      else if (char === '<' && this.text[this.at + 1] === '<') this.hereDocument(frame);
      else if (char === '(' || char === ')') this.bracket(frame, char);
      else if (char === '<' || char === '>') this.redirect(frame);
      else this.part(frame, char);
    }
  }

  private closes(frame: Frame): boolean {
    if (frame.end === ')' && frame.open.length > 0) return false;
    this.at += 1;
    return true;
  }

  /** Reads the next part of a word. */
  private part(frame: Frame, char: string): void {
    if (char === '\\') this.take(frame, 2);
    else if (char === "'") this.single(frame, this.at + 1);
    else if (char === '"') this.double(frame, this.at + 1);
    else if (char === '`') this.backquoted(frame, frame.unsettled);
    else if (char === '$') this.dollar(frame, 'bare');
    else this.take(frame, 1);
  }

  private take(frame: Frame, length: number): void {
    frame.word += this.text.slice(this.at, this.at + length);
    this.at += length;
  }

  private skip(frame: Frame, length: number): void {
    this.at += length;
    this.flush(frame);
  }

  /** Ends the current word. */
  private flush(frame: Frame): void {
    const { word, words, open } = frame;
    if (word === '') return;
    frame.word = '';
    const first = words.length === 0;
    if (first && word === 'case') open.push('case');
    if (first && word === 'esac' && open.at(-1) === 'case') open.pop();
    if (!first || !KEYWORDS.has(word)) words.push(word);
  }

  /** A file name follows, not a command. */
  private redirect(frame: Frame): void {
    this.skip(frame, 1);
    if (frame.words.length === 0) frame.words.push('>');
  }

  private separate(frame: Frame): void {
    this.skip(frame, 1);
    frame.words = [];
  }

  private newline(frame: Frame): void {
    this.separate(frame);
    for (const document of frame.pending.splice(0)) this.readHereDocument(document, frame);
  }

  private bracket(frame: Frame, char: '(' | ')'): void {
    const first = frame.words.length === 0 || frame.words[0] === 'for';
    if (char === '(' && this.text[this.at + 1] === '(' && frame.word === '' && first)
      return this.arithmetic(frame, this.at + 2);
    if (char === '(') frame.open.push('(');
    else if (frame.open.at(-1) === '(') frame.open.pop();
    const isList = frame.word.endsWith('=');
    this.separate(frame);
    if (isList) frame.words.push('=');
  }

  private lineEnd({ end }: Frame): number {
    const line = this.text.indexOf('\n', this.at);
    const quote = end === '`' ? this.text.indexOf('`', this.at) : -1;
    const ends = [line, quote].filter((one) => one >= 0);
    return Math.min(this.limit, ...ends);
  }

  private dollar(frame: Frame, quoting: 'bare' | 'double' | 'here-document'): void {
    const next = this.text[this.at + 1] ?? '';
    if (next === '(' && this.text[this.at + 2] === '(') return this.arithmetic(frame, this.at + 3);
    if (next === '(') return this.inner(frame, ')');
    if (next === '{') return this.expansion(frame, quoting !== 'bare');
    if (next === "'" && quoting === 'bare') return this.ansi(frame);
    const found = referenceAt(this.text, this.at);
    if (found !== null && found.end <= this.limit) return this.place(frame, found, quoting);
    // Special parameters such as $$ and $#.
    this.take(frame, /[$#?!@*\-0-9]/.test(next) ? 2 : 1);
  }

  private place(frame: Frame, found: FoundReference, quoting: Quoting): void {
    this.placed.push({
      found,
      quoting: this.quotingIn(frame, quoting),
      before: [...frame.words],
      prefix: frame.word,
    });
    frame.word += this.text.slice(found.start, found.end);
    this.at = found.end;
  }

  private quotingIn(frame: Frame, quoting: Quoting): Quoting {
    if (this.inArithmetic > 0) return 'arithmetic';
    if (this.inExpansion > 0) return 'expansion';
    return frame.unsettled ? 'backquotes' : quoting;
  }

  /** Records every reference up to an offset, all with the same quoting. */
  private placeAll(frame: Frame, to: number, quoting: Quoting): void {
    while (this.at < to) {
      const next = this.text.indexOf('$', this.at);
      if (next < 0 || next >= to) break;
      const found = referenceAt(this.text, next);
      this.at = next;
      if (found !== null && found.end <= to) this.place(frame, found, quoting);
      else this.at = next + 1;
    }
    frame.word += 'x';
    this.at = to;
  }

  private inner(frame: Frame, end: ')' | '`', unsettled = false): void {
    const start = this.at;
    this.at += end === ')' ? 2 : 1;
    if (this.nested >= MOST_NESTED) return;
    this.nested += 1;
    const around = this.inExpansion;
    this.inExpansion = 0;
    const inner = frameTo(end, unsettled || frame.unsettled);
    this.commands(inner);
    this.inExpansion = around;
    this.nested -= 1;
    frame.pending.push(...inner.pending);
    frame.word += this.text.slice(start, this.at);
  }

  private backquoted(frame: Frame, unsettled: boolean): void {
    this.inner(frame, '`', unsettled || frame.end === '`');
  }

  private single(frame: Frame, from: number): void {
    const end = this.text.indexOf("'", from);
    this.at = from;
    this.placeAll(frame, end < 0 ? this.limit : Math.min(end, this.limit), 'single');
    this.at += 1;
  }

  /** `$'...'`, in which a backslash can precede the closing quote. */
  private ansi(frame: Frame): void {
    let end = this.at + 2;
    while (end < this.limit && this.text[end] !== "'") end += this.text[end] === '\\' ? 2 : 1;
    this.at += 2;
    this.placeAll(frame, Math.min(end, this.limit), 'single');
    this.at += 1;
  }

  private double(frame: Frame, from: number): void {
    this.at = from;
    while (this.at < this.limit && this.text[this.at] !== '"') this.expanding(frame, 'double');
    frame.word += 'x';
    this.at += 1;
  }

  /** One step in text that the shell expands without splitting words. */
  private expanding(frame: Frame, quoting: 'double' | 'here-document'): void {
    const char = this.text[this.at];
    if (char === '\\') this.at += 2;
    else if (char === '`') this.backquoted(frame, true);
    else if (char === '$') this.dollar(frame, quoting);
    else this.at += 1;
  }

  /** `${...}`, whose content may be a pattern or a word, quoted or not. */
  private expansion(frame: Frame, quoted: boolean): void {
    this.at += 2;
    this.inExpansion += 1;
    while (this.at < this.limit && this.text[this.at] !== '}') {
      const char = this.text[this.at];
      if (char === '\\') this.at += 2;
      else if (char === "'" && !quoted) this.single(frame, this.at + 1);
      else if (char === '"') this.double(frame, this.at + 1);
      else if (!this.nestedIn(frame, 'expansion')) this.at += 1;
    }
    this.inExpansion -= 1;
    frame.word += 'x';
    this.at += 1;
  }

  private arithmetic(frame: Frame, from: number): void {
    this.at = from;
    this.inArithmetic += 1;
    let depth = 0;
    while (this.at < this.limit) {
      const char = this.text[this.at];
      if (char === ')' && depth === 0) break;
      if (char === '(') depth += 1;
      if (char === ')') depth -= 1;
      if (!this.nestedIn(frame, 'arithmetic')) this.at += 1;
    }
    this.inArithmetic -= 1;
    frame.word += 'x';
    this.at += this.text[this.at + 1] === ')' ? 2 : 1;
  }

  /** A reference or inner expansion in a context that allows no references. */
  private nestedIn(frame: Frame, quoting: 'expansion' | 'arithmetic'): boolean {
    const char = this.text[this.at];
    if (char === '`') this.backquoted(frame, true);
    else if (char !== '$') return false;
    else {
      const found = referenceAt(this.text, this.at);
      if (found !== null && found.end <= this.limit) this.place(frame, found, quoting);
      else this.dollar(frame, 'double');
    }
    return true;
  }

  private hereDocument(frame: Frame): void {
    if (this.text[this.at + 2] === '<') return this.skip(frame, 3);
    const match = /<<(-?)[ \t]*((?:\\.|'[^'\n]*'|"[^"\n]*"|[^\s;&|<>()'"\\`])+)/y;
    match.lastIndex = this.at;
    const found = match.exec(this.text);
    if (found?.[2] === undefined) return this.skip(frame, 2);
    const [whole, tabs, word] = found;
    frame.pending.push({
      delimiter: word.replace(/['"\\]/g, ''),
      quoted: /['"\\]/.test(word),
      tabs: tabs === '-',
    });
    this.skip(frame, whole.length);
  }

  private readHereDocument({ delimiter, quoted, tabs }: HereDocument, frame: Frame): void {
    let end = this.at;
    let next = this.limit;
    while (end < this.limit) {
      const lineEnd = this.text.indexOf('\n', end);
      const to = lineEnd < 0 || lineEnd > this.limit ? this.limit : lineEnd;
      const line = this.text.slice(end, to);
      next = to + 1;
      if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) break;
      end = next;
    }
    const around = this.limit;
    this.limit = Math.min(end, around);
    if (quoted) this.placeAll(frame, this.limit, 'quoted-here-document');
    while (this.at < this.limit) this.expanding(frame, 'here-document');
    frame.word = '';
    this.limit = around;
    this.at = Math.min(next, around);
  }
}

const frameTo = (end: Frame['end'], unsettled = false): Frame => ({
  end,
  open: [],
  words: [],
  word: '',
  pending: [],
  unsettled,
});
