import { messageOf } from '@contract/error-message';
import type { Settings } from '@contract/system/procedures';
import type { Logger } from '../../core/ports/ports';
import type { CoreService } from '../core-service';
import { HttpServer } from './server';
import { apiToken } from './token';

interface HttpSwitchParts {
  readonly core: CoreService;
  readonly dataDir: string;
  readonly logger: Logger;
  /** The address after each change; null while it is off or unavailable. */
  readonly changed: (address: string | null) => void;
  /** Why it differs from the settings, for the operator; null if it does not. */
  readonly trouble: (text: string | null) => void;
}

/** Keeps the HTTP API in the state that the settings require. Changes are serialised. */
export class HttpSwitch {
  private server: HttpServer | null = null;
  private last: Promise<void> = Promise.resolve();
  private wanted: Settings['httpApi'] = { enabled: false, port: 0 };

  constructor(private readonly parts: HttpSwitchParts) {}

  get address(): string | null {
    return this.server?.address ?? null;
  }

  /** Resolves when the change is made, or the log says why not. */
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
    const { changed, trouble } = this.parts;
    await this.server?.close();
    this.server = null;
    trouble(enabled ? await this.open(port) : null);
    changed(this.address);
  }

  /** Why it cannot be opened; null if it is open. */
  private async open(port: number): Promise<string | null> {
    const { core, dataDir, logger } = this.parts;
    try {
      const failed = (cause: unknown): void =>
        logger.error('the HTTP API failed', { cause: String(cause instanceof Error ? cause.stack : cause) });
      // Creates the token, or reports why it cannot.
      apiToken(dataDir);
      const opened = await HttpServer.open({ core, token: () => apiToken(dataDir), port, failed });
      if (opened.ok) {
        this.server = opened.value;
        return null;
      }
      const { message, mend = '' } = opened.error;
      logger.warn(message, { mend });
      return `${message}; ${mend}`;
    } catch (cause) {
      logger.warn('the HTTP API has no token', { cause: String(cause) });
      return `the HTTP API has no token: ${messageOf(cause)}`;
    }
  }
}
