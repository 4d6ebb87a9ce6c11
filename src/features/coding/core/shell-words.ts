/** The words of one simple command: without quotes and redirections, with shell expansions as written. */
export type Words = readonly string[];

/** Maximum nesting of commands, which bounds the time for a malicious text. */
const DEEPEST = 8;
const LONGEST = 64_000;

/**
 * The simple commands of a POSIX shell script in source order: separated by `&&`, `||`, `;`, `|`, `&` and
 * lines, and nested in brackets and `$(...)`. Quoted text, comments and here-documents are not commands.
 */
export function simpleCommands(script: string): Words[] {
  return script.length > LONGEST ? [] : new Reader(script, 0).read();
}

const BLANK = /[ \t\r]/;
const ENDS_COMMAND = /[;&|\n(){}]/;

class Reader {
  #at = 0;
  #words: string[] = [];
  /** The current word; null between words. */
  #word: string | null = null;
  /** The next word is the target of a redirection. */
  #redirects: 'file' | 'here' | null = null;
  readonly #heres: string[] = [];
  readonly #found: Words[] = [];

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {}

  read(): Words[] {
    while (this.#at < this.text.length) this.#step(this.text[this.#at] ?? '');
    this.#endCommand();
    return this.#found;
  }

  #step(char: string): void {
    if (char === '\\') this.#escaped();
    else if (char === "'") this.#add(this.#until("'"));
    else if (char === '"') this.#quoted();
    else if (char === '`') this.#inner(this.#until('`'));
    else if (char === '$' && this.text[this.#at + 1] === '(') this.#substituted();
    else if (char === '$' && this.text[this.#at + 1] === '{') this.#add(this.#until('}'));
    else if (char === '#' && this.#word === null) this.#skipTo('\n');
    else if (char === '<' || char === '>') this.#redirect(char);
    else if (char === '&' && this.text[this.#at + 1] === '>') this.#at += 1;
    else if (BLANK.test(char)) this.#next(() => this.#endWord());
    else if (ENDS_COMMAND.test(char) && !this.#isBrace(char)) this.#next(() => this.#endOf(char));
    else this.#next(() => this.#add(char));
  }

  /** A brace groups commands only as a separate word; `{a,b}` and `}` within a word are text. */
  #isBrace(char: string): boolean {
    if (char !== '{' && char !== '}') return false;
    const next = this.text[this.#at + 1];
    return this.#word !== null || (next !== undefined && !/[\s;&|)]/.test(next));
  }

  #next(then: () => void): void {
    this.#at += 1;
    then();
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #escaped(): void {
    const next = this.text[this.#at + 1] ?? '';
    this.#at += 2;
    // Letters are escaped only as in `\npm`; in `.\gradlew` and `C:\tools` the backslash separates folders.
    if (/\w/.test(next)) this.#add(`/${next}`);
    else if (next !== '\n') this.#add(next);
  }

  /** The text up to the next `end`; skips both delimiters. */
  #until(end: string): string {
    const to = this.text.indexOf(end, this.#at + 1);
    const found = this.text.slice(this.#at + 1, to < 0 ? undefined : to);
    this.#at = to < 0 ? this.text.length : to + 1;
    return found;
  }

  #quoted(): void {
    this.#at += 1;
    this.#add('');
    while (this.#at < this.text.length) {
      const char = this.text[this.#at] ?? '';
      if (char === '"') break;
      if (char === '\\') this.#escaped();
      else if (char === '`') this.#inner(this.#until('`'));
      else if (char === '$' && this.text[this.#at + 1] === '(') this.#substituted();
      else this.#next(() => this.#add(char));
    }
    this.#at += 1;
  }

  #substituted(): void {
    const from = this.#at + 2;
    let open = 1;
    let at = from;
    for (; at < this.text.length && open > 0; at += 1) {
      const char = this.text[at];
      if (char === '\\') at += 1;
      else if (char === "'") at = Math.max(at, this.text.indexOf("'", at + 1));
      else if (char === '(') open += 1;
      else if (char === ')') open -= 1;
    }
    this.#at = Math.min(at, this.text.length);
    this.#inner(this.text.slice(from, open === 0 ? at - 1 : at));
  }

  #inner(script: string): void {
    this.#add('$()');
    if (this.depth < DEEPEST) this.#found.push(...new Reader(script, this.depth + 1).read());
  }

  #skipTo(end: string): void {
    const to = this.text.indexOf(end, this.#at);
    this.#at = to < 0 ? this.text.length : to;
  }

  #redirect(char: string): void {
    // A file descriptor number before a redirection is not a word.
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null;
    this.#endWord();
    const here = this.text.startsWith('<<', this.#at) && this.text[this.#at + 2] !== '<';
    while (this.text[this.#at] === char) this.#at += 1;
    if (here && this.text[this.#at] === '-') this.#at += 1;
    if (!here && /[&|>]/.test(this.text[this.#at] ?? '')) this.#at += 1;
    this.#redirects = here ? 'here' : 'file';
    // The inside of `<(...)` is commands.
    if (this.text[this.#at] === '(') this.#redirects = null;
  }

  #endWord(): void {
    if (this.#word === null) return;
    if (this.#redirects === 'here') this.#heres.push(this.#word);
    else if (this.#redirects === null) this.#words.push(this.#word);
    this.#redirects = null;
    this.#word = null;
  }

  #endOf(char: string): void {
    this.#endCommand();
    if (char !== '\n') return;
    for (const end of this.#heres.splice(0)) this.#passHere(end);
  }

  #passHere(end: string): void {
    while (this.#at < this.text.length) {
      const from = this.#at;
      this.#skipTo('\n');
      const line = this.text.slice(from, this.#at);
      this.#at += 1;
      if (line.replace(/^\t+/, '').trimEnd() === end) return;
    }
  }

  #endCommand(): void {
    this.#endWord();
    this.#redirects = null;
    if (this.#words.length > 0) this.#found.push(this.#words);
    this.#words = [];
  }
}
