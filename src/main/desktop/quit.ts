import { app, dialog } from 'electron';
import { z } from 'zod';
import { argumentsFor, programOf } from './launch';
import { type LiveWork, liveWords } from './processes/live-words';

const answerSchema = z.enum(['park', 'stop', 'stay']);
type Answer = z.infer<typeof answerSchema>;

interface QuitOptions {
  liveWork(): Promise<LiveWork>;
  shutdown(stop: boolean): Promise<void>;
  /** A test's answer in the operator's place. */
  readonly answer: string | undefined;
}

/** The shutdown: live work is parked or stopped as the operator says, then everything is closed in order. */
export class Quit {
  #state: 'no' | 'asking' | 'leaving' | 'over' = 'no';
  /** Muster was requested again, and where in its window. */
  #again: { readonly place: string | null } | null = null;

  constructor(private readonly options: QuitOptions) {
    app.on('before-quit', (event) => {
      if (this.#state === 'over') return;
      event.preventDefault();
      void this.request();
    });
    app.on('will-quit', () => {
      if (this.#again === null) return;
      const args = argumentsFor(process.argv.slice(1), this.#again.place);
      app.relaunch({ args, execPath: programOf(process.execPath, process.env) });
    });
  }

  /** A window closed now need not ask any more. */
  get leaving(): boolean {
    return this.#state === 'leaving' || this.#state === 'over';
  }

  /** A window is requested. If Muster is already quitting, another one starts afterwards. */
  wanted(place: string | null): void {
    if (this.#state !== 'no') this.#again = { place };
  }

  async request(): Promise<void> {
    if (this.#state !== 'no') return;
    this.#state = 'asking';
    const answer = await this.#ask();
    // The system ended us while the question was open.
    if (this.leaving) return;
    if (answer === 'stay') {
      this.#state = 'no';
      this.#again = null;
    } else await this.#leave(answer);
  }

  /** The operator wants another start, which begins once everything is closed. */
  async restart(begin: () => void): Promise<void> {
    if (this.leaving) return;
    app.once('will-quit', begin);
    await this.#leave('park');
  }

  /** The system shuts down or ends us: there is no one to ask, and parking loses nothing. */
  async now(): Promise<void> {
    if (!this.leaving) await this.#leave('park');
  }

  async #leave(answer: 'park' | 'stop'): Promise<void> {
    this.#state = 'leaving';
    await this.options.shutdown(answer === 'stop');
    this.#state = 'over';
    app.quit();
  }

  async #ask(): Promise<Answer> {
    const message = liveWords(await this.options.liveWork());
    if (message === null) return 'park';
    const given = answerSchema.safeParse(this.options.answer);
    if (given.success) return given.data;
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message,
      detail:
        'Park interrupts running turns and keeps everything. The runs continue when you open Muster again. ' +
        'Stop cancels these runs. Stay changes nothing.',
      buttons: ['Park and quit', 'Stop and quit', 'Stay'],
      defaultId: 2,
      cancelId: 2,
      noLink: true,
    });
    // Requests from before the operator's answer are settled by it.
    this.#again = null;
    return (['park', 'stop', 'stay'] as const)[response] ?? 'stay';
  }
}
