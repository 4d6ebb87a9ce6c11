/** What became of one key of a foreign workflow. */
export interface ConvertedKey {
  readonly node: string | null;
  readonly key: string;
  readonly line: number | null;
  readonly result: 'carried_over' | 'changed' | 'not_carried_over';
  /** How it was changed, or why it is left out. */
  readonly how: string | null;
}

/** Collects what becomes of every key, with its line. */
export class ConversionReport {
  readonly keys: ConvertedKey[] = [];

  constructor(private readonly lineOf: (path: string) => number | null) {}

  of(node: string | null, path: string): NodeReport {
    const add = (key: string, result: ConvertedKey['result'], how: string | null): void => {
      const line = this.lineOf(path === '' ? key : `${path}.${key}`);
      this.keys.push({ node, key, line, result, how });
    };
    return {
      kept: (key) => add(key, 'carried_over', null),
      changed: (key, how) => add(key, 'changed', how),
      dropped: (key, why) => add(key, 'not_carried_over', why),
    };
  }
}

export interface NodeReport {
  kept(key: string): void;
  changed(key: string, how: string): void;
  dropped(key: string, why: string): void;
}
