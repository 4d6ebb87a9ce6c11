import { join } from 'node:path';
import { ANSWER_KEY } from '@contract/system/host';
import { readSecretFile, secretFile } from '../api/secret-file';
import { KEYCHAIN_MS } from '../limits/core';
import type { AnswerKeys } from '../services/deliveries/answer-service';
import type { SettingsService } from '../services/settings-service';

export interface AnswerPlaceParts {
  readonly dataDir: string;
  /** The keychain's values, as far as the host of this core has told them. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Asks the host for a key in the keychain; null where there is no keychain, as on the command line. */
  readonly wantKey: (() => void) | null;
  readonly settings: Pick<SettingsService, 'get'>;
}

/**
 * What answer tokens need of the surroundings. The key is in the keychain where there is one, otherwise in a file that
 * only this user can read; it is never in the database.
 */
export class AnswerPlace implements AnswerKeys {
  private readonly file: string;
  private current: string | null = null;
  private waiting: (() => void)[] = [];
  private told = 0;

  constructor(private readonly parts: AnswerPlaceParts) {
    this.file = join(parts.dataDir, 'answer-key');
  }

  /** Also the file's key where the keychain has one: the command line may have asked the question. */
  known(): readonly string[] {
    const inKeychain = this.parts.secrets.get(ANSWER_KEY);
    return [inKeychain, readSecretFile(this.file)].filter((key) => key != null);
  }

  async signing(): Promise<string> {
    const key = (): string | null => this.parts.secrets.get(ANSWER_KEY) ?? null;
    const { wantKey } = this.parts;
    if (wantKey !== null && key() === null) {
      const before = this.told;
      wantKey();
      // A host whose keychain cannot be used tells its secrets without a key.
      await this.until(() => key() !== null || this.told !== before);
    }
    return key() ?? secretFile(this.file);
  }

  /** The address of the HTTP API; null while it is off. */
  async address(): Promise<string | null> {
    if (this.current === null && this.parts.settings.get().httpApi.enabled)
      await this.until(() => this.current !== null);
    return this.current;
  }

  setAddress(address: string | null): void {
    this.current = address;
    this.changed();
  }

  /** The secrets or the address changed. */
  changed(): void {
    this.told += 1;
    for (const look of this.waiting) look();
  }

  private until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isSo()) done();
      };
      const done = (): void => {
        clearTimeout(late);
        this.waiting = this.waiting.filter((other) => other !== look);
        resolve();
      };
      const late = setTimeout(done, KEYCHAIN_MS);
      this.waiting.push(look);
      look();
    });
  }
}
