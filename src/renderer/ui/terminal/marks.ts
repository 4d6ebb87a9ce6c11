import type { IDecoration, IMarker, Terminal } from '@xterm/xterm';

/** A command by its mark: how many lines above the cursor it begins, and its result if reported. */
export interface MarkedCommand {
  readonly above: number;
  readonly exit: number | null;
}

interface Mark {
  readonly marker: IMarker;
  exit: number | null;
  decoration: IDecoration | undefined;
}

interface MarkColours {
  readonly done: string;
  readonly failed: string;
  readonly unknown: string;
}

/**
 * The commands of a shell that marks them (OSC 133: A before its prompt, C at the output, D with the exit
 * status): a stroke beside each, coloured by its result, the same at the scroll bar, and jumps between them.
 */
export class CommandMarks {
  #marks: Mark[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly colours: () => MarkColours,
  ) {
    terminal.parser.registerOscHandler(133, (data) => {
      if (data.startsWith('A')) this.#add(terminal.registerMarker(0), null);
      const exit = /^D;(-?\d{1,9})/.exec(data)?.[1];
      const last = this.#marks.at(-1);
      if (last && exit !== undefined && last.exit === null) this.#end(last, Number(exit));
      return false;
    });
  }

  /** The screen was cleared. */
  clear(): void {
    for (const { decoration } of this.#marks) decoration?.dispose();
    this.#marks = [];
  }

  restore(commands: readonly MarkedCommand[]): void {
    for (const { above, exit } of commands) this.#add(this.terminal.registerMarker(-above), exit);
  }

  /** The lines at which commands begin, from the top. */
  lines(): number[] {
    return this.#marks.map(({ marker }) => marker.line).filter((line) => line >= 0);
  }

  #add(marker: IMarker | undefined, exit: number | null): void {
    // The alternate screen has no marks.
    if (!marker) return;
    const mark: Mark = { marker, exit, decoration: undefined };
    this.#marks.push(mark);
    marker.onDispose(() => {
      this.#marks = this.#marks.filter((one) => one !== mark);
    });
    this.#draw(mark);
  }

  #end(mark: Mark, exit: number): void {
    mark.exit = exit;
    this.#draw(mark);
  }

  #draw(mark: Mark): void {
    mark.decoration?.dispose();
    const { done, failed, unknown } = this.colours();
    const color = mark.exit === null ? unknown : mark.exit === 0 ? done : failed;
    mark.decoration = this.terminal.registerDecoration({
      marker: mark.marker,
      x: 0,
      width: 1,
      overviewRulerOptions: { color, position: 'left' },
    });
    const words = mark.exit === null ? 'no exit status yet' : `exit ${mark.exit}`;
    mark.decoration?.onRender((element) => {
      element.classList.add('terminal-mark');
      element.dataset.exit = mark.exit === null ? '' : String(mark.exit);
      element.style.width = '3px';
      element.style.backgroundColor = color;
      element.title = `Command: ${words}`;
    });
  }
}
