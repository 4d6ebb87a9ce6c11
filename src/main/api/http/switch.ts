import type { Settings } from '@contract/system/procedures';
import type { Logger } from '../../core/ports/ports';
import type { CoreService } from '../core-service';
import { HttpServer } from './server';
import { apiToken } from './token';

export interface HttpSwitchParts {
  readonly core: CoreService;
  readonly dataDir: string;
  readonly logger: Logger;
  /** The address after each change; null while it is off or cannot be on. */
  readonly changed: (address: string | null) => void;
}

/** Keeps the HTTP API as the settings want it. Changes are made one after the other. */
export class HttpSwitch {
  private server: HttpServer | null = null;
  private last: Promise<void> = Promise.resolve();
  private wanted: Settings['httpApi'] = { enabled: false, port: 0 };

  constructor(private readonly parts: HttpSwitchParts) {}

  get address(): string | null {
    return this.server?.address ?? null;
  }

  /** Resolves when it is so, or the log says why not. */
  apply(wanted: Settings['httpApi']): Promise<void> {
    if (wanted.enabled === this.wanted.enabled && wanted.port === this.wanted.port) return this.last;
    this.wanted = wanted;
    this.last = this.last.then(() => this.make(wanted));
    return this.last;
  }

  close(): Promise<void> {
    return this.apply({ enabled: false, port: this.wanted.port });
  }

  private async make({ enabled, port }: Settings['httpApi']): Promise<void> {
    const { core, dataDir, logger, changed } = this.parts;
    await this.server?.close();
    this.server = null;
    if (enabled) await this.open({ core, dataDir, logger, port });
    changed(this.address);
  }

  private async open({
    core,
    dataDir,
    logger,
    port,
  }: Omit<HttpSwitchParts, 'changed'> & { port: number }): Promise<void> {
    try {
      const failed = (cause: unknown): void =>
        logger.error('the HTTP API failed', { cause: String(cause instanceof Error ? cause.stack : cause) });
      // There is one from now on, or the log says why not.
      apiToken(dataDir);
      const opened = await HttpServer.open({ core, token: () => apiToken(dataDir), port, failed });
      if (opened.ok) this.server = opened.value;
      else logger.warn(opened.error.message, { mend: opened.error.mend });
    } catch (cause) {
      logger.warn('the HTTP API has no token', { cause: String(cause) });
    }
  }
}
