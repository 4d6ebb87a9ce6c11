import type { Json } from '@contract/ids';

export const severities = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

/** What a reviewer found. `severity` is null if missing or unknown; other fields are kept. */
export type ReviewFinding = { readonly severity: Severity | null; readonly text: string } & {
  readonly [more: string]: Json;
};

const FILE_KEYS = ['file', 'path', 'filename', 'file_path', 'location', 'where'];
const LINE_KEYS = ['line', 'line_number', 'lines', 'start_line'];

const plain = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function firstOf(more: Readonly<Record<string, Json>>, names: readonly string[]): [string, string] | null {
  for (const [key, value] of Object.entries(more)) {
    const named = names.includes(key.trim().toLowerCase());
    if (named && (typeof value === 'string' || typeof value === 'number') && value !== '')
      return [key, String(value)];
  }
  return null;
}

export interface FindingRow {
  readonly severity: Severity | null;
  readonly text: string;
  /** `src/a.ts:12`; null if the reviewer gave none. */
  readonly place: string | null;
  /** Other fields, as `name: value`. */
  readonly more: readonly string[];
}

function findingRow({ severity, text, ...more }: ReviewFinding): FindingRow {
  const file = firstOf(more, FILE_KEYS);
  const line = firstOf(more, LINE_KEYS);
  const used = new Set([file?.[0], line?.[0]]);
  const place =
    file === null ? (line === null ? null : `line ${line[1]}`) : `${file[1]}${line ? `:${line[1]}` : ''}`;
  const rest = Object.entries(more).filter(([key]) => !used.has(key));
  return { severity, text, place, more: rest.map(([key, value]) => `${key}: ${plain(value)}`) };
}

const rank = (severity: Severity | null): number =>
  severity === null ? severities.length : severities.indexOf(severity);

/** The findings of stored evidence, most severe first; null if the text has another form. */
export function readFindings(text: string): FindingRow[] | null {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const rows = value.map((entry): FindingRow | null => {
    if (typeof entry === 'string') return { severity: null, text: entry, place: null, more: [] };
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
    const { severity, text, ...more } = entry;
    const known = severities.find((one) => one === severity) ?? null;
    return findingRow({ ...more, severity: known, text: typeof text === 'string' ? text : '' });
  });
  if (rows.some((row) => row === null)) return null;
  return rows.filter((row) => row !== null).sort((a, b) => rank(a.severity) - rank(b.severity));
}
