import { powerMonitor, powerSaveBlocker } from 'electron';
import { AWAY_AFTER_S } from '../limits/main';

/** Keeps the machine awake while agents work; the screen may turn off. */
export class WakeLock {
  #blocker: number | null = null;

  hold(on: boolean): void {
    if (on === (this.#blocker !== null)) return;
    if (this.#blocker !== null) powerSaveBlocker.stop(this.#blocker);
    this.#blocker = on ? powerSaveBlocker.start('prevent-app-suspension') : null;
  }
}

/** Whether someone may be looking at the screen; true if the system does not say. */
export function mayBeThere(): boolean {
  const state = powerMonitor.getSystemIdleState(AWAY_AFTER_S);
  return state === 'active' || state === 'unknown';
}

export function watchPower(options: { woke(): void; goingDown(): void }): void {
  powerMonitor.on('resume', () => options.woke());
  // Linux and macOS wait a moment on request, and Windows ends the session by itself.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    options.goingDown();
  });
}
