/** A member as it is being written down, to be added to a team at work. */
export interface SpawnDraft {
  readonly name: string;
  /** A profile's id. */
  readonly agent: string;
  readonly prompt: string;
  readonly iterative: boolean;
  readonly readOnly: boolean;
}

/** As it was kept; anything else that is there is a draft from the beginning. */
export function readSpawn(text: string, agent: string): SpawnDraft {
  const blank: SpawnDraft = { name: '', agent, prompt: '', iterative: true, readOnly: false };
  try {
    const value: unknown = JSON.parse(text);
    return isLike(value, blank) ? value : blank;
  } catch {
    return blank;
  }
}

const isLike = <T extends object>(value: unknown, like: T): value is T =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(like).every(([name, field]) => typeof Reflect.get(value, name) === typeof field);
