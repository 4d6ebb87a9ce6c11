import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { app } from 'electron';

/** Where the parts of the installed or built app lie. */
export interface Places {
  /** out/main, with the entries of the other processes. */
  readonly processes: string;
  readonly preload: string;
  readonly renderer: string;
  readonly resources: string;
}

/** `here` is the folder of main's own entry. */
export function findPlaces(here: string): Places {
  return {
    processes: here,
    preload: join(here, '..', 'preload', 'index.cjs'),
    renderer: join(here, '..', 'renderer'),
    resources: unpacked(join(app.getAppPath(), 'resources')),
  };
}

/** What other programs read must lie outside the archive, where the packaged app keeps it beside. */
function unpacked(path: string): string {
  const beside = path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(beside) ? beside : path;
}
