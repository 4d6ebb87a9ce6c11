/** The draft of a member to add to a running team. */
export interface SpawnDraft {
  readonly name: string;
  /** A profile's id. */
  readonly agent: string;
  readonly prompt: string;
  readonly iterative: boolean;
  readonly readOnly: boolean;
}

/** Reads a saved draft; invalid parts are replaced by defaults. */
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
