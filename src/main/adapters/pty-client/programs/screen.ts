import { Terminal } from '@xterm/headless';
import type { Screen } from '../../../core/ports/programs/interactive';
import { UNDRAWN_CHARS } from '../../../limits/core-sizes';

/** Longer than any answer; older output is in the terminal's file. */
const SCROLLBACK_LINES = 5000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal escape sequence
const PASTE_MODE = /\x1b\[\?2004[hl]/g;

interface ScreenListener {
  /** The terminal's reply to a program's query. */
  answer(data: string): void;
  drawn(): void;
  notified(text: string): void;
}

/** An invisible terminal: a program's output as a person would read it. */
export class HeadlessScreen {
  readonly #terminal: Terminal;
  #pending = 0;
  #passedOver = false;
  #muted = false;

  constructor(
    size: { cols: number; rows: number },
    private readonly listener: ScreenListener,
  ) {
    this.#terminal = new Terminal({ ...size, scrollback: SCROLLBACK_LINES, allowProposedApi: true });
    this.#terminal.onData((data) => this.#muted || listener.answer(data));
    this.#terminal.parser.registerOscHandler(9, (data) => this.#notified(data));
    this.#terminal.parser.registerOscHandler(777, (data) => this.#notified(data));
  }

  write(text: string): void {
    if (this.#pending + text.length > UNDRAWN_CHARS) return this.passOver(text);
    this.#draw(this.#passedOver ? `\r\n${text}` : text);
    this.#passedOver = false;
  }

  /** Text that is not drawn, but whose mode changes apply. */
  passOver(text: string): void {
    this.#passedOver = true;
    const modes = text.match(PASTE_MODE);
    if (modes) this.#draw(modes.at(-1) ?? '');
  }

  /** While muted, past output is drawn: no queries are answered and no notifications sent. */
  mute(on: boolean): void {
    this.#muted = on;
  }

  /** Resizes the terminal from here on: earlier text is drawn in the old size. */
  resize(size: { cols: number; rows: number }): void {
    this.#terminal.write('', () => this.#terminal.resize(size.cols, size.rows));
  }

  read(): Screen {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at += 1) {
      const line = active.getLine(at);
      if (!line) continue;
      // A wrapped line continues the one above, including blanks.
      const wraps = active.getLine(at + 1)?.isWrapped === true;
      const text = line.translateToString(!wraps);
      if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    while (lines.at(-1)?.trim() === '') lines.pop();
    const { cols, modes } = this.#terminal;
    return { lines, cols, pasteMode: modes.bracketedPasteMode };
  }

  /** Resolves when everything written is drawn. */
  settled(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write('', resolve));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #draw(text: string): void {
    this.#pending += text.length;
    this.#terminal.write(text, () => {
      this.#pending -= text.length;
      this.listener.drawn();
    });
  }

  #notified(data: string): boolean {
    // `9;4;...` draws a progress bar in some terminals.
    if (!/^4;\d/.test(data) && !this.#muted) this.listener.notified(data.replace(/^notify;/, ''));
    return true;
  }
}
