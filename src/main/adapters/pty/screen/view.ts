import type { TerminalExit } from '@areas/terminals/contract/host';
import {
  type FromTerminal,
  GO_ON_BYTES,
  HOLD_BACK_BYTES,
  toTerminalSchema,
} from '@areas/terminals/contract/view';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { textFromTheMiddle } from '../output/output-file';
import { keptSpan, OutputBytes } from '../output/segments';
import type { Terminal } from '../terminal';
import type { PastPart, Snapshot, Snapshots, TakePast } from './snapshot';
import { readSpan } from './terminal-history';

export interface ViewPort {
  post(message: FromTerminal): void;
  onMessage(listener: (raw: unknown) => void): void;
  onClose(listener: () => void): void;
}

interface ViewOptions {
  readonly outputPath: string;
  /** Null if it has ended: then its file is shown. */
  readonly terminal: Terminal | null;
  readonly snapshots: Pick<Snapshots, 'take'>;
  readonly port: ViewPort;
  /** The operator has typed something. */
  readonly typed?: () => void;
}

/**
 * One terminal on one screen: its past as a snapshot, then live output, with file offsets. A slow screen
 * pauses the program.
 */
export class TerminalView {
  /** Output received while the snapshot was drawn; null once it was sent. */
  #early: { offset: number; data: Buffer }[] | null = [];
  #unseen = 0;
  #held = false;
  #shown = false;
  #over = false;
  #terminal: Terminal | null;
  #size: { cols: number; rows: number } | null = null;
  #leave: () => void = () => undefined;

  constructor(private readonly options: ViewOptions) {
    const { port } = options;
    this.#terminal = options.terminal;
    port.onClose(() => this.#close());
    port.onMessage((raw) => this.#receive(raw));
  }

  /** Another program prints to the same file from now on. */
  adopt(terminal: Terminal): void {
    if (this.#over || this.#terminal === terminal) return;
    if (this.#held) this.#hold(false);
    this.#leave();
    this.#terminal = terminal;
    if (this.#size === null) return;
    terminal.resize(this.#size.cols, this.#size.rows);
    this.#follow(terminal);
    // Before that, the snapshot will include it.
    if (this.#early === null) this.#begin(terminal);
  }

  #begin(terminal: Terminal): void {
    this.options.port.post({ kind: 'live' });
    void terminal.done.then((exit) => this.#tellEnd(terminal, exit));
  }

  #receive(raw: unknown): void {
    const parsed = toTerminalSchema.safeParse(raw);
    if (!parsed.success || this.#over) return;
    const message = parsed.data;
    const terminal = this.#terminal;
    if (message.kind === 'show' || message.kind === 'resize') this.#size = message;
    if (message.kind === 'show') void this.#show(message.cols, message.rows);
    else if (message.kind === 'ack') this.#acknowledge(message.bytes);
    else if (message.kind === 'input') {
      this.options.typed?.();
      terminal?.type(message.data);
    } else terminal?.resize(message.cols, message.rows);
  }

  async #show(cols: number, rows: number): Promise<void> {
    if (this.#shown) return;
    this.#shown = true;
    const { outputPath, snapshots, port } = this.options;
    const terminal = this.#terminal;
    terminal?.resize(cols, rows);
    const end = terminal?.offset ?? keptSpan(outputPath).end;
    // From here on: what is in the file is in the snapshot, later output is sent.
    if (terminal) this.#follow(terminal);
    try {
      await terminal?.noted();
      const request = { outputPath, end, cols, rows };
      const past = (part: PastPart): void => {
        if (!this.#over) port.post({ kind: 'past', ...part });
      };
      const made = await snapshots.take(request, past).catch(() => plainTail(outputPath, end, past));
      if (this.#over) return;
      const live = terminal !== null && !terminal.ended;
      port.post({ kind: 'snapshot', ...made, commands: [...made.commands], offset: end, live });
    } catch (cause) {
      const why = messageOf(cause);
      port.post({
        kind: 'failed',
        error: appError('internal', `The terminal’s history cannot be drawn: ${why}`),
      });
    }
    const early = this.#early ?? [];
    this.#early = null;
    for (const { offset, data } of early) this.#post(offset, data);
    const now = this.#terminal;
    if (now && now !== terminal) this.#begin(now);
    else void terminal?.done.then((exit) => this.#tellEnd(terminal, exit));
  }

  #follow(terminal: Terminal): void {
    this.#leave = terminal.follow({
      batch: (offset, data) => {
        this.#unseen += data.length;
        if (this.#early) this.#early.push({ offset, data: Buffer.from(data) });
        else this.#post(offset, data);
        if (!this.#held && this.#unseen > HOLD_BACK_BYTES) this.#hold(true);
      },
      evicted: (before) => this.options.port.post({ kind: 'evicted', before }),
      waits: (on) => this.options.port.post({ kind: 'held', on, by: 'turn' }),
    });
  }

  #post(offset: number, data: Buffer): void {
    // A buffer may be part of a larger one, all of which would be transferred; and this one is reused.
    this.options.port.post({ kind: 'bytes', offset, data: new Uint8Array(data) });
  }

  #acknowledge(bytes: number): void {
    this.#unseen = Math.max(0, this.#unseen - bytes);
    if (this.#held && this.#unseen < GO_ON_BYTES) this.#hold(false);
  }

  #hold(on: boolean): void {
    this.#held = on;
    this.#terminal?.holdBack(this, on);
    this.options.port.post({ kind: 'held', on, by: 'screen' });
  }

  #tellEnd(terminal: Terminal, exit: TerminalExit): void {
    if (this.#over || this.#terminal !== terminal) return;
    const { exitCode, signal } = exit;
    this.options.port.post({ kind: 'ended', exitCode, signal });
  }

  #close(): void {
    this.#over = true;
    this.#leave();
    if (this.#held) this.#terminal?.holdBack(this, false);
  }
}

const TAIL_BYTES = 256 * 1024;

/** The end of the output as plain text, in case drawing fails; colours may be wrong. */
function plainTail(outputPath: string, end: number, take: TakePast): Snapshot {
  const bytes = new OutputBytes(outputPath);
  try {
    const from = Math.max(bytes.from, end - TAIL_BYTES);
    take({ first: true, text: '', data: Buffer.alloc(0) });
    const text = textFromTheMiddle(readSpan(bytes, from, end), from > 0);
    return { text, from, evicted: bytes.from, commands: [], cwd: null };
  } finally {
    bytes.close();
  }
}
