import type { AppError } from '@contract/errors';
import type { FromTerminal } from '@contract/terminal/view';
import { Cell } from '../../../client/store';
import { openTerminal, type TerminalLine, type TerminalTarget } from '../../../client/terminal';
import type { FedScreen, TerminalFeed } from '../../../ui/terminal';

export interface LinkState {
  readonly status: 'opening' | 'live' | 'ended' | 'lost';
  /** The program waits until the screen has drawn what it printed. */
  readonly held: boolean;
  /** Bytes at the beginning that are in the file only. */
  readonly leftOut: number;
  readonly exit: { readonly code: number | null; readonly signal: number | null } | null;
  readonly error: AppError | null;
}

const opening: LinkState = { status: 'opening', held: false, leftOut: 0, exit: null, error: null };

/** In a flood the program is held and let go many times a second; the word stays until that has ceased. */
const HELD_WORD_MS = 1000;

/**
 * One terminal on the screen: draws what comes, and tells when it is drawn. While the window is hidden it has no line:
 * nothing would be drawn there, and the program would be held back for nobody.
 */
export class TerminalLink implements TerminalFeed {
  readonly state = new Cell<LinkState>(opening);
  #line: TerminalLine | null = null;
  #screen: FedScreen | null = null;
  /** What comes next, in bytes of the file: anything else would be a gap or a repetition. */
  #offset = 0;
  #heldWord: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly target: TerminalTarget) {}

  begin(screen: FedScreen): void {
    this.#screen = screen;
    document.addEventListener('visibilitychange', this.#lookAgain);
    if (!document.hidden) this.#open(screen);
  }

  readonly #lookAgain = (): void => {
    const screen = this.#screen;
    if (document.hidden) this.#hangUp();
    else if (screen && this.#line === null && this.state.get().status !== 'lost') this.#open(screen);
  };

  #open(screen: FedScreen): void {
    this.state.set(opening);
    this.#line = openTerminal(this.target, {
      message: (message) => this.#receive(message, screen),
      lost: (error) => this.#lost(error),
    });
    this.#line.post({ kind: 'show', ...screen.size });
  }

  input(data: string): void {
    this.#line?.post({ kind: 'input', data });
  }

  resize(size: { cols: number; rows: number }): void {
    if (size.cols >= 2 && size.rows >= 2) this.#line?.post({ kind: 'resize', ...size });
  }

  end(): void {
    document.removeEventListener('visibilitychange', this.#lookAgain);
    this.#hangUp();
    this.#screen = null;
  }

  #hangUp(): void {
    clearTimeout(this.#heldWord);
    this.#line?.close();
    this.#line = null;
  }

  #receive(message: FromTerminal, screen: FedScreen): void {
    if (this.#screen !== screen) return;
    switch (message.kind) {
      case 'snapshot':
        this.#offset = message.offset;
        screen.setEnded(!message.live);
        screen.restore(message.text, message.commands.map((c) => c.above), () => {
          const status = message.live ? 'live' : 'ended';
          this.state.update((last) =>
            last.status === 'opening' ? { ...last, status, leftOut: message.from } : last,
          );
        });
        return;
      case 'bytes':
        return this.#draw(message, screen);
      case 'held':
        return this.#hold(message.on);
      case 'ended':
        screen.setEnded(true);
        return this.state.update((last) => ({
          ...last,
          ...{ status: 'ended', held: false, exit: { code: message.exitCode, signal: message.signal } },
        }));
      case 'live':
        screen.setEnded(false);
        return this.state.update((last) => ({ ...last, status: 'live', exit: null }));
      case 'failed':
        return this.state.update((last) => ({ ...last, status: 'live', error: message.error }));
    }
  }

  #hold(on: boolean): void {
    clearTimeout(this.#heldWord);
    const tell = (): void => this.state.update((last) => (last.held === on ? last : { ...last, held: on }));
    if (on) tell();
    else this.#heldWord = setTimeout(tell, HELD_WORD_MS);
  }

  #draw({ offset, data }: Extract<FromTerminal, { kind: 'bytes' }>, screen: FedScreen): void {
    if (offset !== this.#offset && this.state.get().error === null)
      console.error(`a terminal's bytes come at ${offset}, expected ${this.#offset}`);
    this.#offset = offset + data.length;
    screen.write(data, () => this.#line?.post({ kind: 'ack', bytes: data.length }));
  }

  #lost(error: AppError): void {
    this.#screen?.setEnded(true);
    // The line of a terminal that has ended may go.
    this.state.update((last) =>
      last.status === 'ended' ? last : { ...last, status: 'lost', held: false, error },
    );
  }
}
