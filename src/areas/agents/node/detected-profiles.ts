import { DETECTED_FRESH_MS } from '@main/limits/core';
import { capabilitiesOf } from '../contract/agent-kinds';
import type { AgentProfile } from '../contract/profile';
import type { FinderPreset } from './agent-finder-parts';

interface DetectedProfilesParts {
  readonly presets: readonly (FinderPreset & { readonly instead?: string })[];
  /** A program's path; null if there is none. */
  readonly find: (program: string) => Promise<string | null>;
  readonly now: () => number;
}

/**
 * Profiles of installed agents, usable by name without configuration. Excludes model servers, which need a
 * model or a token first.
 */
export class DetectedProfiles {
  #looked: { readonly at: number; readonly found: Promise<readonly AgentProfile[]> } | null = null;

  constructor(private readonly parts: DetectedProfilesParts) {}

  profiles(): Promise<readonly AgentProfile[]> {
    const now = this.parts.now();
    if (this.#looked === null || now - this.#looked.at > DETECTED_FRESH_MS || now < this.#looked.at)
      this.#looked = { at: now, found: this.#look() };
    return this.#looked.found;
  }

  async #look(): Promise<readonly AgentProfile[]> {
    const all = await Promise.all(this.parts.presets.map((preset) => this.#installed(preset)));
    return all.flatMap((profile) => profile ?? []);
  }

  async #installed(preset: DetectedProfilesParts['presets'][number]): Promise<AgentProfile | null> {
    const profile = await this.#found(preset);
    if (profile !== null || preset.instead === undefined) return profile;
    // Its adapter is not installed, but the agent is: the same name starts it in a terminal.
    const instead = this.parts.presets.find(({ id }) => id === preset.instead);
    const other = instead === undefined ? null : await this.#found(instead);
    return other === null ? null : { ...other, id: preset.id };
  }

  async #found({ programs, profile }: FinderPreset): Promise<AgentProfile | null> {
    for (const program of programs) {
      if ((await this.parts.find(program).catch(() => null)) === null) continue;
      const made = profile(program);
      return capabilitiesOf(made).worksByName ? made : null;
    }
    return null;
  }
}
