import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { app } from 'electron';

/** Locations of the installed or built app's parts. */
export interface Places {
  /** out/main, with the entries of the other processes. */
  readonly processes: string;
  readonly preload: string;
  readonly renderer: string;
  readonly resources: string;
}

/** `processes` is out/main. */
export function findPlaces(processes: string): Places {
  return {
    processes,
    preload: join(processes, '..', 'preload', 'index.cjs'),
    renderer: join(processes, '..', 'renderer'),
    resources: unpacked(join(app.getAppPath(), 'resources')),
  };
}

/** Files for other programs are outside of the packaged app's archive, beside it. */
function unpacked(path: string): string {
  const beside = path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(beside) ? beside : path;
}
