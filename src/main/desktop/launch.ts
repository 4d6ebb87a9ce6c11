import { isAbsolute, join, resolve } from 'node:path';

/** What this start was asked for, by flags and environment. */
export interface Launch {
  /** Null where nothing was said: the system's place for an app's data. */
  readonly dataDir: string | null;
  readonly dbPath: string | null;
  /** A flag without its value, as of a script whose variable is empty: it must not work on the operator's own data. */
  readonly emptyFlag: string | null;
  /** A `muster://` address to open. */
  readonly link: string | null;
}

const LINK = 'muster://';

/**
 * Chromium's own switches stand among the arguments, so that unknown ones are no error. A flag wins over its
 * environment variable.
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

/** The place in the window that an address of ours names: `muster://run/7` is `/run/7`. */
export function placeOf(link: string): string | null {
  if (link.length > 2000 || !link.toLowerCase().startsWith(LINK)) return null;
  const rest = link.slice(LINK.length).replace(/\/+$/, '');
  return /^[\w\-.~%/]+(\?[\w\-.~%/=&]*)?$/.test(rest) ? `/${rest}` : null;
}

/** The arguments of a start, for another one that opens this place. */
export const argumentsFor = (args: readonly string[], place: string | null): string[] => {
  const others = args.filter((argument) => placeOf(argument) === null);
  return place === null ? others : [...others, `muster:/${place}`];
};

/**
 * The file that starts this program. What runs of an AppImage is in a mount that goes with it. A process that is started from
 * a terminal inside of another AppImage has that one's name among its variables, but is not there.
 */
export function programOf(execPath: string, { APPIMAGE, APPDIR }: NodeJS.ProcessEnv): string {
  return APPIMAGE && APPDIR && execPath.startsWith(`${APPDIR}/`) ? APPIMAGE : execPath;
}

/** Where compiled code is kept from one start to the next. */
export const codeFolder = (dataDir: string): string => join(dataDir, 'compiled-code');

export const defaultDbPath = (dataDir: string): string => join(dataDir, 'muster.db');
