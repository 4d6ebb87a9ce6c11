import { greedy, matchesPattern } from './pattern';

/** The parts of a path: folders and name, and the drive or host if it has one. */
interface Parts {
  readonly absolute: boolean;
  readonly drive: string;
  readonly names: readonly string[];
  /** It contains `..`, whose meaning depends on links, so it is never allowed. */
  readonly climbs: boolean;
}

const DRIVE = /^(?:[A-Za-z]:(?=\/|$)|\/\/[^/]+\/[^/]+)/;

/** `\` separates folders only if the workspace is on a drive: elsewhere it may be part of a name. */
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

/** Where a requested path is, relative to a workspace. */
interface RulePlaces {
  /** Its names from the workspace; null if it is outside. */
  readonly inside: readonly string[] | null;
  /** Its names from the root of the disk. */
  readonly whole: readonly string[];
  readonly drive: string;
  readonly climbs: boolean;
}

/** `path` is absolute with links resolved, or relative to `root`, the workspace's folder. */
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

/** The path relative to the workspace, separated by `/`; null outside of it. */
export function insidePath(path: string, root: string): string | null {
  const { inside, climbs } = placeOf(path, root);
  return inside === null || climbs || inside.length === 0 ? null : inside.join('/');
}

interface GlobOptions {
  readonly root: string;
  /** Whether `*` and `**` also match names that begin with a dot. */
  readonly dots: boolean;
}

/**
 * Whether `pattern` matches a path: `*` within one name, `**` any folders. A relative pattern starts at the
 * workspace and never matches outside of it.
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

/** Without `dots`, `**` must not match a hidden folder, so it is not simply a wildcard. */
function deep(pattern: readonly string[], items: readonly string[], dots: boolean): boolean {
  const hidden = (name: string, part: string) => !dots && name.startsWith('.') && !part.startsWith('.');
  const fits = (part: string, name: string) => !hidden(name, part) && matchesPattern(part, name);
  if (dots || !pattern.includes('**')) {
    return greedy(pattern, items, { isAny: (part) => part === '**', fits });
  }
  return deepWithoutDots(pattern, items, fits);
}

/** Tries all ways at once, with one table row per part of the pattern. */
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
