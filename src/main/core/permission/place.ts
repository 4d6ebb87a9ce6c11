import { greedy, matchesPattern } from './pattern';

/** A path taken apart: its folders and its name, and the drive or host where it has one. */
interface Parts {
  readonly absolute: boolean;
  readonly drive: string;
  readonly names: readonly string[];
  /** It goes up somewhere: what that means depends on links, so it is never allowed. */
  readonly climbs: boolean;
}

const DRIVE = /^(?:[A-Za-z]:(?=\/|$)|\/\/[^/]+\/[^/]+)/;

/** `\` divides folders only where the workspace is on a drive: elsewhere it may be part of a name. */
const onDrive = (root: string): boolean => DRIVE.test(root.replaceAll('\\', '/')) && !root.startsWith('/');

function partsOf(path: string, windows: boolean): Parts {
  const text = windows ? path.replaceAll('\\', '/') : path;
  const drive = windows ? (DRIVE.exec(text)?.[0] ?? '') : '';
  const rest = text.slice(drive.length);
  const steps = rest.split('/').filter((step) => step !== '' && step !== '.');
  const names: string[] = [];
  for (const step of steps) {
    if (step === '..') names.pop();
    else names.push(step);
  }
  return {
    absolute: drive !== '' || rest.startsWith('/'),
    drive: drive.toLowerCase(),
    names,
    climbs: steps.includes('..'),
  };
}

/** Where a path of a request lies, seen from a workspace. */
export interface RulePlaces {
  /** Its names from the workspace on; null where it is outside. */
  readonly inside: readonly string[] | null;
  /** Its names from the root of the disk on. */
  readonly whole: readonly string[];
  readonly drive: string;
  readonly climbs: boolean;
}

/** `path` is absolute and real, or relative to `root`, the workspace's folder. */
export function placeOf(path: string, root: string): RulePlaces {
  const windows = onDrive(root);
  const base = partsOf(root, windows);
  const given = partsOf(path, windows);
  const own = given.absolute ? given : partsOf(`${root}/${path}`, windows);
  const climbs = given.climbs || path.includes('\0');
  const within = own.drive === base.drive && base.names.every((name, index) => own.names[index] === name);
  const inside = within ? own.names.slice(base.names.length) : null;
  return { inside, whole: own.names, drive: own.drive, climbs };
}

/** The path from the workspace on, with `/` between names; null outside of it. */
export function insidePath(path: string, root: string): string | null {
  const { inside, climbs } = placeOf(path, root);
  return inside === null || climbs || inside.length === 0 ? null : inside.join('/');
}

interface GlobOptions {
  readonly root: string;
  /** Whether `*` and `**` stand for names that begin with a dot, too. */
  readonly dots: boolean;
}

/**
 * Whether a path is one that `pattern` says: `*` for any part of one name, `**` for any folders. A relative pattern
 * is seen from the workspace on and never reaches outside of it.
 */
export function matchesPath(pattern: string, place: RulePlaces, { root, dots }: GlobOptions): boolean {
  const windows = onDrive(root);
  const drive = windows ? (DRIVE.exec(pattern)?.[0] ?? '') : '';
  const rest = pattern.slice(drive.length);
  const absolute = drive !== '' || rest.startsWith('/');
  const names = rest.split('/').filter((step) => step !== '' && step !== '.');
  if (names.includes('..')) return false;
  if (absolute && drive.toLowerCase() !== place.drive) return false;
  const items = absolute ? place.whole : place.inside;
  if (items === null) return false;
  return deep(names, items, dots);
}

/** `**` must not pass a hidden folder where dots are named only: so it cannot simply be "any". */
function deep(pattern: readonly string[], items: readonly string[], dots: boolean): boolean {
  const hidden = (name: string, part: string) => !dots && name.startsWith('.') && !part.startsWith('.');
  const fits = (part: string, name: string) => !hidden(name, part) && matchesPattern(part, name);
  if (dots || !pattern.includes('**')) {
    return greedy(pattern, items, { isAny: (part) => part === '**', fits });
  }
  return deepWithoutDots(pattern, items, fits);
}

/** All ways at once, one row of the table for each part of the pattern. */
function deepWithoutDots(
  pattern: readonly string[],
  items: readonly string[],
  fits: (part: string, name: string) => boolean,
): boolean {
  let reached = items.map(() => false);
  reached.unshift(true);
  for (const part of pattern) {
    const next: boolean[] = [part === '**' && reached[0] === true];
    for (const [index, name] of items.entries()) {
      const before = reached[index] === true;
      const passes = part === '**' && next[index] === true && !name.startsWith('.');
      next.push(part === '**' ? reached[index + 1] === true || passes : before && fits(part, name));
    }
    reached = next;
  }
  return reached[items.length] === true;
}
