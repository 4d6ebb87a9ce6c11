import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebglAddon } from '@xterm/addon-webgl';
import { type IMarker, Terminal } from '@xterm/xterm';
import { withSheets } from './terminal-sheets';
import { terminalTheme } from './terminal-theme';

export interface ScreenOptions {
  readonly label: string;
  readonly scrollback: number;
  readonly screenReader: boolean;
  readonly mac: boolean;
  input(data: string): void;
  resized(size: { cols: number; rows: number }): void;
  /** Whether the end is in sight. */
  following(on: boolean): void;
  /** The keys that are ours. */
  key(what: 'leave' | 'find' | 'copy'): void;
}

const FONT_PX = 12.5;

/** A terminal on the page. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon();
  readonly #takeSheets: (() => void)[] = [];
  readonly #watch: ResizeObserver;
  #following = true;
  #commands: IMarker[] = [];

  constructor(
    private readonly container: HTMLElement,
    private readonly options: ScreenOptions,
  ) {
    this.#terminal = new Terminal({
      scrollback: options.scrollback,
      screenReaderMode: options.screenReader,
      fontFamily: getComputedStyle(container).getPropertyValue('--mono') || 'monospace',
      fontSize: FONT_PX,
      lineHeight: 1.2,
      theme: terminalTheme(container),
      // What a program colours for a dark ground must be readable on a light one.
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      // A program must not lead the operator anywhere by a click.
      linkHandler: { activate: () => undefined },
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#takeSheets.push(withSheets(() => this.#terminal.open(container)));
    this.#terminal.textarea?.setAttribute('aria-label', options.label);
    // Where Enter in a list leads.
    this.#terminal.textarea?.setAttribute('data-focus', '');
    this.#drawFast();
    this.#listen();
    this.fit();
    this.#watch = new ResizeObserver(() => this.fit());
    this.#watch.observe(container);
  }

  get size(): { cols: number; rows: number } {
    return { cols: Math.max(2, this.#terminal.cols), rows: Math.max(2, this.#terminal.rows) };
  }

  /** Draws everything anew from this text. */
  restore(text: string, commands: readonly number[], done: () => void): void {
    this.#terminal.reset();
    this.#terminal.write(text, () => {
      this.#commands = commands.flatMap((above) => this.#terminal.registerMarker(-above) ?? []);
      done();
    });
  }

  /** To where the command before or after the first line in sight begins. */
  jump(direction: 'previous' | 'next'): void {
    const { viewportY } = this.#terminal.buffer.active;
    const lines = this.#commands.map((marker) => marker.line).filter((line) => line >= 0);
    const target =
      direction === 'previous'
        ? lines.findLast((line) => line < viewportY)
        : lines.find((line) => line > viewportY);
    if (target !== undefined) this.#terminal.scrollToLine(target);
    else if (direction === 'next') this.#terminal.scrollToBottom();
    this.#look();
  }

  write(data: Uint8Array, drawn: () => void): void {
    this.#terminal.write(data, drawn);
  }

  /** Input of a terminal that has ended goes nowhere. */
  setEnded(ended: boolean): void {
    this.#terminal.options.disableStdin = ended;
    this.#terminal.options.cursorInactiveStyle = ended ? 'none' : 'outline';
  }

  setScreenReader(on: boolean): void {
    this.#terminal.options.screenReaderMode = on;
  }

  recolour(): void {
    this.#terminal.options.theme = terminalTheme(this.container);
  }

  focus(): void {
    this.#terminal.focus();
  }

  toEnd(): void {
    this.#terminal.scrollToBottom();
    this.#look();
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  /** False where it does not occur. An empty text takes the marks away. */
  find(text: string, direction: 'next' | 'previous'): boolean {
    if (text === '') {
      this.#search.clearDecorations();
      this.#terminal.clearSelection();
      return true;
    }
    const options = { incremental: false };
    return direction === 'next'
      ? this.#search.findNext(text, options)
      : this.#search.findPrevious(text, options);
  }

  fit(): void {
    if (this.container.clientWidth > 0 && this.container.clientHeight > 0) this.#fit.fit();
  }

  dispose(): void {
    this.#watch.disconnect();
    this.#takeSheets.push(withSheets(() => this.#terminal.dispose()));
    for (const take of this.#takeSheets) take();
  }

  #drawFast(): void {
    try {
      const webgl = new WebglAddon();
      // Without the graphics processor it goes on with the page's own elements.
      webgl.onContextLoss(() => this.#takeSheets.push(withSheets(() => webgl.dispose())));
      this.#terminal.loadAddon(webgl);
    } catch {
      // As above: there is none here.
    }
  }

  #listen(): void {
    const terminal = this.#terminal;
    terminal.parser.registerOscHandler(133, (data) => {
      const marker: IMarker | undefined = data.startsWith('A') ? terminal.registerMarker(0) : undefined;
      if (marker) this.#commands.push(marker);
      return false;
    });
    terminal.onData((data) => this.options.input(data));
    terminal.onBinary((data) => this.options.input(data));
    terminal.onResize((size) => this.options.resized(size));
    terminal.onScroll(() => this.#look());
    terminal.onWriteParsed(() => this.#look());
    this.container.addEventListener('wheel', () => requestAnimationFrame(() => this.#look()), {
      passive: true,
    });
    terminal.attachCustomKeyEventHandler((event) => this.#takes(event));
    // No key that the terminal lets through may start something elsewhere in the window.
    this.container.addEventListener('keydown', (event) => event.stopPropagation());
  }

  #takes(event: KeyboardEvent): boolean {
    const what = ownKey(event, this.options.mac);
    if (what === null) return true;
    // Chromium pastes as text by itself.
    if (what === 'paste') return false;
    event.preventDefault();
    if (event.type !== 'keydown') return false;
    if (what === 'previous' || what === 'next') this.jump(what);
    else this.options.key(what);
    return false;
  }

  #look(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    const now = viewportY >= baseY;
    if (now === this.#following) return;
    this.#following = now;
    this.options.following(now);
  }
}

type OwnKey = 'leave' | 'find' | 'copy' | 'paste' | 'previous' | 'next';
const OWN_KEYS: Readonly<Record<string, OwnKey>> = {
  ...{ f: 'find', c: 'copy', v: 'paste' },
  ...{ arrowup: 'previous', arrowdown: 'next' },
};

/** One chord leaves the terminal; copying, finding and jumping are its own. Every other key goes to the program. */
function ownKey(event: KeyboardEvent, mac: boolean): OwnKey | null {
  if (event.ctrlKey && event.shiftKey && event.key === 'Escape') return 'leave';
  const own = mac ? event.metaKey : event.ctrlKey && event.shiftKey;
  if (!own || event.altKey) return null;
  return OWN_KEYS[event.key.toLowerCase()] ?? null;
}
