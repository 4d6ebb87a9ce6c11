import type { Check, Doctor } from '../contract/procedures';
import { checkAgents } from './checks/agents';
import { checkGit } from './checks/git';
import { checkDisk, checkKeys, checkSandbox, checkTerminals, untriedSandbox } from './checks/machine';
import type { DoctorParts } from './parts';

/** Finds out what is missing on this machine. */
export class DoctorService {
  #looking: Promise<Doctor> | null = null;
  #sandbox: Check = untriedSandbox;
  #installed: string | null = null;

  constructor(private readonly parts: DoctorParts) {}

  async get(thorough: boolean): Promise<Doctor> {
    if (thorough) this.#sandbox = await checkSandbox(this.parts);
    // Simultaneous requests of several windows and views share one look.
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    const { checks } = await this.#looking;
    return { checks: [...checks, this.#sandbox] };
  }

  async #look(): Promise<Doctor> {
    const { parts } = this;
    await this.#tell();
    const checks = await Promise.all([
      checkGit(parts),
      checkAgents(parts),
      checkKeys(parts),
      checkDisk(parts),
      checkTerminals(parts),
    ]);
    return { checks: checks.flat() };
  }

  /** Tells lists of profiles that an agent was installed since the last look, or removed. */
  async #tell(): Promise<void> {
    const installed = JSON.stringify((await this.parts.installed()).map(({ id }) => id));
    const before = this.#installed;
    this.#installed = installed;
    if (before !== null && before !== installed) this.parts.profilesChanged();
  }
}
