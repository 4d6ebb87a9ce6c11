import type { Raw } from './untrusted-value';

/** How a foreign workflow's key was converted. */
export interface ConvertedKey {
  readonly node: string | null;
  readonly key: string;
  readonly line: number | null;
  /** The inlined file that contains the key. */
  readonly file?: string;
  readonly result: 'carried_over' | 'changed' | 'not_carried_over';
  /** How it was changed, or why it is left out. */
  readonly how: string | null;
}

type LineOf = (path: string) => number | null;

/** Collects how each key was converted, with its line. */
export class ConversionReport {
  constructor(
    private readonly lineOf: LineOf,
    readonly keys: ConvertedKey[] = [],
    private readonly file: string | null = null,
  ) {}

  /** The same report, for keys of another file. */
  inFile = (file: string, lineOf: LineOf): ConversionReport => new ConversionReport(lineOf, this.keys, file);

  of(node: string | null, path: string): NodeReport {
    const add = (key: string, result: ConvertedKey['result'], how: string | null): void => {
      // A default has no line of its own.
      const line = this.lineOf(path === '' ? key : `${path}.${key}`) ?? this.lineOf(path);
      const from = this.file === null ? {} : { file: this.file };
      this.keys.push({ node, key, line, ...from, result, how });
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

interface Rest {
  readonly known: readonly string[];
  /** Their parent key. */
  readonly key: string;
  readonly report: NodeReport;
}

/** Reports a nested mapping's keys that are not converted. */
export function tellRest(nested: Raw | null, { known, key, report }: Rest): void {
  for (const one of Object.keys(nested ?? {}))
    if (!known.includes(one)) report.dropped(`${key}.${one}`, 'Muster has no such key');
}
