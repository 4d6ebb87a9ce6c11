import { isAbsolute, join, resolve } from 'node:path';

/** The request of this start, from flags and environment. */
interface Launch {
  /** Null if not given: the system's folder for app data. */
  readonly dataDir: string | null;
  readonly dbPath: string | null;
  /** Nothing is resumed, started or delivered. */
  readonly safeMode: boolean;
  /**
   * A flag without a value, as from a script with an empty variable: it must not work on the operator's own
   * data.
   */
  readonly emptyFlag: string | null;
  /** A `muster://` address to open. */
  readonly link: string | null;
}

const LINK = 'muster://';

/**
 * Arguments include Chromium's own switches, so unknown ones are no error. A flag overrides its environment
 * variable.
 */
export function readLaunch(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Launch {
  const absolute = (path: string | null): string | null => {
    if (path === null || path === '') return null;
    return isAbsolute(path) ? path : resolve(cwd, path);
  };
  const [dataDir, db] = [flag(argv, 'data-dir'), flag(argv, 'db')];
  const given: readonly (readonly [string, string | null])[] = [
    ['--data-dir', dataDir],
    ['--db', db],
  ];
  return {
    dataDir: absolute(dataDir ?? env.MUSTER_DATA_DIR ?? null),
    dbPath: absolute(db ?? env.MUSTER_DB ?? null),
    safeMode: argv.includes('--safe-mode'),
    emptyFlag: given.find(([, value]) => value?.trim() === '')?.[0] ?? null,
    link: argv.find((argument) => placeOf(argument) !== null) ?? null,
  };
}

function flag(argv: readonly string[], name: string): string | null {
  for (const [index, argument] of argv.entries()) {
    if (argument === `--${name}`) return argv[index + 1] ?? '';
    if (argument.startsWith(`--${name}=`)) return argument.slice(name.length + 3);
  }
  return null;
}

/** The place in the window for one of our addresses: `muster://run/7` is `/run/7`. */
export function placeOf(link: string): string | null {
  if (link.length > 2000 || !link.toLowerCase().startsWith(LINK)) return null;
  const rest = link.slice(LINK.length).replace(/\/+$/, '');
  return /^[\w\-.~%/]+(\?[\w\-.~%/=&]*)?$/.test(rest) ? `/${rest}` : null;
}

/** The arguments of a start, changed to open this place. */
export const argumentsFor = (args: readonly string[], place: string | null): string[] => {
  const others = args.filter((argument) => placeOf(argument) === null);
  return place === null ? others : [...others, `muster:/${place}`];
};

/**
 * The file that starts this program. An AppImage's executable is in a mount that ends with it, so the
 * AppImage file is used. A process started from a terminal inside another AppImage has that one's name in its
 * variables, but is not located there.
 */
export function programOf(execPath: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string {
  return APPIMAGE && APPDIR && execPath.startsWith(`${APPDIR}/`) ? APPIMAGE : execPath;
}

/** The folder for compiled code, which persists between starts. */
export const codeFolder = (dataDir: string): string => join(dataDir, 'compiled-code');

export const defaultDbPath = (dataDir: string): string => join(dataDir, 'muster.db');
