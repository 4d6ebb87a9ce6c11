import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebglAddon } from '@xterm/addon-webgl';
import { Terminal } from '@xterm/xterm';
import { TERMINAL_RESIZE_MS } from '../../limits';
import { hasGraphicsProcessor } from './graphics';
import { type OwnKey, ownKey } from './keys';
import { linkProvider, linksInSight, type TerminalLink } from './links';
import { CommandMarks, type MarkedCommand } from './marks';
import { withSheets } from './sheets';
import { terminalTheme } from './theme';

interface ScreenOptions {
  readonly label: string;
  readonly scrollback: number;
  readonly screenReader: boolean;
  readonly mac: boolean;
  /** Whether these keys leave the terminal. */
  leaves(event: KeyboardEvent): boolean;
  input(data: string): void;
  resized(size: { cols: number; rows: number }): void;
  /** Whether the end is visible. */
  following(on: boolean): void;
  /** A key of the terminal itself was pressed. */
  key(what: Exclude<OwnKey, 'paste' | 'previous' | 'next'>): void;
  /** A link was clicked or chosen. */
  open(link: TerminalLink): void;
  /** The text to paste has several lines, and the program would run each at once. */
  paste(text: string): void;
  readonly fontPx: number;
}
const MOST_FOUND = 1000;

/** A terminal on the page. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon({ highlightLimit: MOST_FOUND });
  readonly #takeSheets: (() => void)[] = [];
  readonly #watch: ResizeObserver;
  #following = true;
  #isRestored = false;
  /** The pattern of a search from outside. */
  #wanted: string | null = null;
  #over = false;
  readonly #marks: CommandMarks;
  #resizing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly container: HTMLElement,
    private readonly options: ScreenOptions,
  ) {
    this.#terminal = new Terminal({
      scrollback: options.scrollback,
      screenReaderMode: options.screenReader,
      fontFamily: getComputedStyle(container).getPropertyValue('--mono') || 'monospace',
      fontSize: options.fontPx,
      lineHeight: 1.2,
      theme: terminalTheme(container),
      // Colours that a program chose for a dark background must be readable on a light one.
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      // Before a link opens, the operator is asked, with its real address.
      linkHandler: { activate: (event, url) => this.#follow({ kind: 'address', text: url, url }, event) },
      overviewRuler: { width: 12 },
      allowProposedApi: true,
    });
    this.#terminal.loadAddon(this.#fit);
    this.#terminal.loadAddon(this.#search);
    this.#marks = new CommandMarks(this.#terminal, () => {
      const { green = '', red = '', brightBlack = '' } = this.#terminal.options.theme ?? {};
      return { done: green, failed: red, unknown: brightBlack };
    });
    this.#takeSheets.push(withSheets(() => this.#terminal.open(container)));
    this.#terminal.textarea?.setAttribute('aria-label', options.label);
    // The element that Enter in a list focuses.
    this.#terminal.textarea?.setAttribute('data-focus', '');
    this.#drawFast();
    this.#listen();
    this.fit();
    void this.#measureAgain();
    this.#watch = new ResizeObserver(() => {
      clearTimeout(this.#resizing);
      this.#resizing = setTimeout(() => this.fit(), TERMINAL_RESIZE_MS);
    });
    this.#watch.observe(container);
  }

  get size(): { cols: number; rows: number } {
    return { cols: Math.max(2, this.#terminal.cols), rows: Math.max(2, this.#terminal.rows) };
  }

  /** A part of the past output; the first part clears the screen. */
  past({ first, text, data }: { first: boolean; text: string; data: Uint8Array }): void {
    if (first) {
      this.#marks.clear();
      this.#terminal.reset();
    }
    this.#terminal.write(text);
    this.#terminal.write(data);
  }

  /** The rest of the past output. */
  restore(text: string, commands: readonly MarkedCommand[], done: () => void): void {
    this.#terminal.write(text, () => {
      this.#marks.restore(commands);
      this.#isRestored = true;
      this.#markWanted();
      done();
    });
  }

  /**
   * Marks the matches of a pattern, and goes to the last one once the past output is drawn. Null removes the
   * marks.
   */
  mark(pattern: string | null): void {
    if (pattern === null && this.#wanted !== null) this.find('', 'next');
    this.#wanted = pattern;
    this.#markWanted();
  }

  #markWanted(): void {
    if (this.#wanted !== null && this.#isRestored)
      this.#search.findPrevious(this.#wanted, this.#marked(true));
  }

  /** Scrolls to the start of the command before or after the first visible line. */
  jump(direction: 'previous' | 'next'): void {
    const { viewportY } = this.#terminal.buffer.active;
    const lines = this.#marks.lines().sort((one, other) => one - other);
    const target =
      direction === 'previous'
        ? lines.findLast((line) => line < viewportY)
        : lines.find((line) => line > viewportY);
    if (target !== undefined) this.#terminal.scrollToLine(target);
    else if (direction === 'next') this.#terminal.scrollToBottom();
    this.#look();
  }

  /** The visible links, the lowest first. */
  links(): TerminalLink[] {
    return linksInSight(this.#terminal);
  }

  open(link: TerminalLink): void {
    this.options.open(link);
  }

  /** As if the operator had typed the text, in bracketed paste mode if the program wants it. */
  paste(text: string): void {
    this.#terminal.paste(text);
  }

  setFont(px: number): void {
    if (this.#terminal.options.fontSize === px) return;
    this.#terminal.options.fontSize = px;
    this.fit();
  }

  write(data: Uint8Array, drawn: () => void): void {
    this.#terminal.write(data, drawn);
  }

  /** Input to an ended terminal is dropped. */
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

  /** Goes to the next match; an empty text removes the marks. */
  find(text: string, direction: 'next' | 'previous'): void {
    if (text === '') {
      this.#search.clearDecorations();
      this.#terminal.clearSelection();
      return;
    }
    if (direction === 'next') this.#search.findNext(text, this.#marked(false));
    else this.#search.findPrevious(text, this.#marked(false));
  }

  #marked(regex: boolean) {
    const { yellow = '#888800', cyan = '#008888' } = this.#terminal.options.theme ?? {};
    const decorations = {
      matchBorder: yellow,
      matchOverviewRuler: yellow,
      activeMatchBorder: cyan,
      activeMatchColorOverviewRuler: cyan,
    };
    return { regex, decorations };
  }

  /** Listens to the number of matches and the index of the shown one: -1 if there are too many. */
  onFound(listener: (found: { index: number; count: number }) => void): () => void {
    const heard = this.#search.onDidChangeResults(({ resultIndex, resultCount }) =>
      listener({ index: resultIndex, count: resultCount }),
    );
    return () => heard.dispose();
  }

  fit(): void {
    if (this.container.clientWidth > 0 && this.container.clientHeight > 0) this.#fit.fit();
  }

  dispose(): void {
    this.#over = true;
    this.#watch.disconnect();
    clearTimeout(this.#resizing);
    this.#takeSheets.push(withSheets(() => this.#terminal.dispose()));
    for (const take of this.#takeSheets) take();
  }

  /** The font may be loaded only now, and differs in size from its fallback. */
  async #measureAgain(): Promise<void> {
    const { fontFamily, fontSize } = this.#terminal.options;
    await document.fonts.load(`${fontSize}px ${fontFamily}`).catch(() => []);
    if (this.#over) return;
    this.#terminal.options.fontFamily = `${fontFamily}, monospace`;
    this.#terminal.clearTextureAtlas();
    this.fit();
  }

  #drawFast(): void {
    if (!hasGraphicsProcessor()) return;
    try {
      const webgl = new WebglAddon();
      // Without the graphics processor, drawing continues with DOM elements.
      webgl.onContextLoss(() => this.#takeSheets.push(withSheets(() => webgl.dispose())));
      this.#terminal.loadAddon(webgl);
    } catch {
      // As above: there is none here.
    }
  }

  #listen(): void {
    const terminal = this.#terminal;
    terminal.registerLinkProvider(linkProvider(terminal, (link, event) => this.#follow(link, event)));
    this.container.addEventListener('paste', (event) => this.#guardPaste(event), { capture: true });
    terminal.onData((data) => this.options.input(data));
    terminal.onBinary((data) => this.options.input(data));
    terminal.onResize((size) => this.options.resized(size));
    terminal.onScroll(() => this.#look());
    terminal.onWriteParsed(() => this.#look());
    this.container.addEventListener('wheel', () => requestAnimationFrame(() => this.#look()), {
      passive: true,
    });
    terminal.attachCustomKeyEventHandler((event) => this.#takes(event));
    // A key that the terminal handles must trigger nothing elsewhere in the window.
    this.container.addEventListener('keydown', (event) => event.stopPropagation());
  }

  #takes(event: KeyboardEvent): boolean {
    const full = this.#terminal.buffer.active.type === 'alternate' && !this.#terminal.options.disableStdin;
    const what = ownKey(event, { mac: this.options.mac, full, leaves: () => this.options.leaves(event) });
    if (what === null) return true;
    // Chromium pastes plain text by itself.
    if (what === 'paste') return false;
    event.preventDefault();
    if (event.type !== 'keydown') return false;
    if (what === 'previous' || what === 'next') this.jump(what);
    else this.options.key(what);
    return false;
  }

  /** A plain click only focuses, as everywhere in a terminal. */
  #follow(link: TerminalLink, event: MouseEvent): void {
    if (this.options.mac ? event.metaKey : event.ctrlKey) this.options.open(link);
  }

  /** Without bracketed paste, a program runs each line of the text at once. */
  #guardPaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (
      !/[\r\n]/.test(text) ||
      this.#terminal.modes.bracketedPasteMode ||
      this.#terminal.options.disableStdin
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    this.options.paste(text);
  }

  #look(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    const now = viewportY >= baseY;
    if (now === this.#following) return;
    this.#following = now;
    this.options.following(now);
  }
}
