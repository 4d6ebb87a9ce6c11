import { z } from 'zod';
import { scrub } from './scrub';

const lineSchema = z.looseObject({
  at: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
});

/** Details that say where something happened. All others may hold what an agent or a project said. */
const TEXTS: readonly string[] = ['cause', 'why', 'error', 'code', 'stack'];

const NUMBERS: readonly string[] = [
  'runId',
  'turnId',
  'sessionId',
  'gateId',
  'activationId',
  'projectId',
  'seq',
  'pid',
  'ms',
  'bytes',
  'count',
  'missing',
  'exitCode',
];

/** A line of a log as it may leave the machine; null for one that cannot be read. */
export function sharedLine(line: string, redact: (text: string) => string): string | null {
  const parsed = lineSchema.safeParse(jsonOf(line));
  if (!parsed.success) return null;
  const { at, level, message, ...details } = parsed.data;
  const clean = (text: string): string => scrub(redact(text));
  const kept = Object.entries(details).flatMap(([key, value]): [string, unknown][] => {
    if (TEXTS.includes(key) && typeof value === 'string') return [[key, clean(value)]];
    if (!NUMBERS.includes(key)) return [];
    return typeof value === 'boolean' || isSmall(value) ? [[key, value]] : [];
  });
  return JSON.stringify({ at, level, message: clean(message), ...Object.fromEntries(kept) });
}

/** A long number may be a code or a key. */
const isSmall = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) < 1e7;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
