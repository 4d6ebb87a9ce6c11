import { join } from 'node:path';
import type { AnswerKeys } from '@areas/deliveries/node/answer-service';
import type { SettingsService } from '@areas/settings/node/settings-service';
import { ANSWER_KEY } from '@contract/system/host';
import { readSecretFile, secretFile } from '../../api/secret-file';
import { KEYCHAIN_MS } from '../../limits/core';

interface AnswerPlaceParts {
  readonly dataDir: string;
  /** The keychain's values, as far as this core's host has sent them. */
  readonly secrets: ReadonlyMap<string, string>;
  /** Requests a key in the keychain from the host; null without a keychain, as on the command line. */
  readonly wantKey: (() => void) | null;
  readonly settings: Pick<SettingsService, 'get'>;
}

/**
 * The environment for answer tokens. The key is in the keychain if there is one, otherwise in a file readable
 * only by this user; never in the database.
 */
export class AnswerPlace implements AnswerKeys {
  private readonly file: string;
  private current: string | null = null;
  private waiting: (() => void)[] = [];
  private keysReceived = 0;

  constructor(private readonly parts: AnswerPlaceParts) {
    this.file = join(parts.dataDir, 'answer-key');
  }

  /** Includes the file's key even if the keychain has one: the command line may have sent the question. */
  known(): readonly string[] {
    const inKeychain = this.parts.secrets.get(ANSWER_KEY);
    return [inKeychain, readSecretFile(this.file)].filter((key) => key != null);
  }

  async signing(): Promise<string> {
    const key = (): string | null => this.parts.secrets.get(ANSWER_KEY) ?? null;
    const { wantKey } = this.parts;
    if (wantKey !== null && key() === null) {
      const before = this.keysReceived;
      wantKey();
      // A host whose keychain is unusable sends its secrets without a key.
      await this.until(() => key() !== null || this.keysReceived !== before);
    }
    return key() ?? secretFile(this.file);
  }

  /** The HTTP API's address; null while it is off. */
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
    this.keysReceived += 1;
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
