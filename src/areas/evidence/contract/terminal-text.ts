/** The six ANSI colours that each theme has in a readable form; `dim` is grey. */
type TerminalColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim';

interface RunStyle {
  readonly colour?: TerminalColour;
  /** The colour is the background. */
  readonly filled?: true;
  readonly bold?: true;
  readonly italic?: true;
  readonly underlined?: true;
  readonly struck?: true;
}

/** A part of a line in one style. */
export interface TerminalRun {
  readonly text: string;
  readonly style: RunStyle | null;
}

export type TerminalLine = readonly TerminalRun[];

const COLOURS: readonly (TerminalColour | null)[] = [
  ...['dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'],
  null,
] as (TerminalColour | null)[];

/**
 * An escape sequence: CSI, a string such as a title or a link, another escape, or a single control character.
 */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  /\u001b\[([0-9:;<=>?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The maximum work for overwritten lines; beyond it, overwritten text is shown too. */
const MOST_REWRITTEN = 400_000;
const WIDEST_MOVE = 400;

/**
 * Program output as a terminal shows it, with colours and overwritten lines (progress bars). Other escape
 * sequences are dropped; other control characters are shown as symbols.
 */
export function terminalLines(text: string): TerminalLine[] {
  const screen = new Screen();
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    if (index > 0) screen.nextLine();
    let from = 0;
    for (const found of line.matchAll(OBEYED)) {
      screen.write(line.slice(from, found.index));
      from = found.index + found[0].length;
      if (found[2] !== undefined) screen.obey(found[2], found[1] ?? '');
      else if (found[0].length === 1) screen.control(found[0], from === line.length);
    }
    screen.write(line.slice(from));
  }
  return screen.rows;
}

/** The same without colours. */
export const terminalPlain = (text: string): string =>
  terminalLines(text)
    .map((line) => line.map((run) => run.text).join(''))
    .join('\n');

class Screen {
  readonly rows: TerminalRun[][] = [[]];
  #row = 0;
  #column = 0;
  #style: RunStyle | null = null;
  #rewritten = 0;
  /** The lengths of the rows. */
  readonly #widths = [0];

  nextLine(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#row === this.rows.length) this.#add();
  }

  write(text: string): void {
    if (text === '') return;
    const row = this.rows[this.#row] ?? [];
    const width = this.#widths[this.#row] ?? 0;
    if (this.#column < width) this.#rewrite(row, text);
    else {
      if (this.#column > width) push(row, ' '.repeat(this.#column - width), null);
      push(row, text, this.#style);
    }
    this.#column += text.length;
    this.#widths[this.#row] = Math.max(width, this.#column);
  }

  control(sign: string, isLast: boolean): void {
    if (sign === '\r') {
      if (!isLast) this.#column = 0;
    } else if (sign === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (sign !== '\u0007' && sign !== '\u001b') this.write(pictureOf(sign.charCodeAt(0)));
  }

  obey(command: string, parameters: string): void {
    const by = Math.min(WIDEST_MOVE, Number.parseInt(parameters, 10) || 1);
    if (command === 'm') this.#style = styled(this.#style, parameters);
    else if (command === 'A') this.#row = Math.max(0, this.#row - by);
    else if (command === 'B') this.#row = Math.min(this.rows.length - 1, this.#row + by);
    else if (command === 'C') this.#column += by;
    else if (command === 'D') this.#column = Math.max(0, this.#column - by);
    else if (command === 'G') this.#column = by - 1;
    else if (command === 'K') this.#erase(parameters);
    else if (command === 'J' && (parameters === '' || parameters === '0')) {
      this.#erase('0');
      this.rows.length = this.#row + 1;
      this.#widths.length = this.#row + 1;
    }
  }

  #add(): void {
    this.rows.push([]);
    this.#widths.push(0);
  }

  #rewrite(row: TerminalRun[], text: string): void {
    this.#rewritten += row.length + 1;
    if (this.#rewritten > MOST_REWRITTEN) {
      this.rows.splice(this.#row + 1, 0, []);
      this.#widths.splice(this.#row + 1, 0, 0);
      this.#row += 1;
      this.#column = 0;
      push(this.rows[this.#row] ?? [], text, this.#style);
      return;
    }
    const before = part(row, 0, this.#column);
    const after = part(row, this.#column + text.length, Number.POSITIVE_INFINITY);
    row.length = 0;
    for (const run of before) row.push(run);
    push(row, text, this.#style);
    for (const run of after) push(row, run.text, run.style);
  }

  /** Erases: no parameter: after the cursor; 1: before it; 2: the whole line. */
  #erase(parameter: string): void {
    const row = this.rows[this.#row] ?? [];
    this.#rewritten += row.length;
    if (this.#rewritten > MOST_REWRITTEN) return;
    const width = this.#widths[this.#row] ?? 0;
    const at = Math.min(this.#column, width);
    const kept: TerminalRun[] = [];
    if (parameter === '1') kept.push({ text: ' '.repeat(at), style: null }, ...part(row, at, width));
    else if (parameter !== '2') kept.push(...part(row, 0, at));
    row.length = 0;
    for (const run of kept) push(row, run.text, run.style);
    this.#widths[this.#row] = row.reduce((sum, run) => sum + run.text.length, 0);
  }
}

function push(row: TerminalRun[], text: string, style: RunStyle | null): void {
  const last = row.at(-1);
  if (text === '') return;
  if (last !== undefined && last.style === style) row[row.length - 1] = { text: last.text + text, style };
  else row.push({ text, style });
}

function part(row: readonly TerminalRun[], from: number, to: number): TerminalRun[] {
  const found: TerminalRun[] = [];
  let at = 0;
  for (const { text, style } of row) {
    const piece = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (piece !== '') found.push({ text: piece, style });
    at += text.length;
  }
  return found;
}

const pictureOf = (code: number): string => {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
};

type Changes = { -readonly [Name in keyof RunStyle]: RunStyle[Name] };

/** The style after an escape sequence `CSI ... m`. */
function styled(before: RunStyle | null, parameters: string): RunStyle | null {
  const style: Changes = { ...before };
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const colour = extended(codes, at + 1);
      setColour(style, colour.colour, code === 48);
      at += colour.taken;
    } else change(style, code);
  }
  return Object.keys(style).length === 0 ? null : style;
}

const ON: Readonly<Record<number, keyof RunStyle>> = {
  1: 'bold',
  3: 'italic',
  4: 'underlined',
  7: 'filled',
  9: 'struck',
};
const OFF: Readonly<Record<number, keyof RunStyle>> = {
  22: 'bold',
  23: 'italic',
  24: 'underlined',
  27: 'filled',
  29: 'struck',
};

function change(style: Changes, code: number): void {
  const on = ON[code];
  const off = OFF[code];
  if (code === 0) for (const name of Object.keys(style) as (keyof RunStyle)[]) delete style[name];
  else if (code === 2) style.colour ??= 'dim';
  else if (on !== undefined) style[on] = true as never;
  else if (off !== undefined) {
    delete style[off];
    if (code === 22 && style.colour === 'dim') delete style.colour;
  } else if (code === 39) delete style.colour;
  else if (code === 49) delete style.filled;
  else if (code >= 30 && code <= 37) setColour(style, COLOURS[code - 30] ?? null, false);
  else if (code >= 90 && code <= 97) setColour(style, COLOURS[code - 90] ?? null, false);
  else if (code >= 40 && code <= 47) setColour(style, COLOURS[code - 40] ?? null, true);
  else if (code >= 100 && code <= 107) setColour(style, COLOURS[code - 100] ?? null, true);
}

/**
 * A coloured background is shown in that colour with the theme's background as the text colour, which is
 * readable in every theme.
 */
function setColour(style: Changes, colour: TerminalColour | null, isGround: boolean): void {
  if (isGround) style.filled = true;
  else if (style.filled) return;
  if (colour === null) delete style.colour;
  else style.colour = colour;
}

/** Maps 256-colour and true-colour codes to the nearest of the six. */
function extended(
  codes: readonly number[],
  at: number,
): { readonly colour: TerminalColour | null; readonly taken: number } {
  if (codes[at] === 5) return { colour: ofPalette(codes[at + 1] ?? 0), taken: 2 };
  if (codes[at] !== 2) return { colour: null, taken: 0 };
  const [red = 0, green = 0, blue = 0] = codes.slice(at + 1, at + 4);
  return { colour: nearest(red, green, blue), taken: 4 };
}

function ofPalette(index: number): TerminalColour | null {
  if (index < 16) return COLOURS[index % 8] ?? null;
  if (index >= 232) return index < 246 ? 'dim' : null;
  const cube = index - 16;
  return nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51);
}

function nearest(red: number, green: number, blue: number): TerminalColour | null {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most - least < 40) return most < 140 ? 'dim' : null;
  const half = (most + least) / 2;
  const bits = (red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0);
  return COLOURS[bits] ?? null;
}
