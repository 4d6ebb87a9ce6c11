import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import type { Attachment } from '@contract/session/session';
import { isInside } from '../guarded-files/paths';

/** How Muster names runs. Other names could be those of folders of the operator, and deleting a run deletes its folder. */
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Brings every path of a run's own files into its folder of this Muster. A history comes from anywhere: a path in it that
 * leads out of the run's folder would be read and shown as if it were the run's.
 */
export function rehome(events: readonly StoredEvent[], artifactsRoot: string): StoredEvent[] {
  const first = events[0]?.event;
  if (first?.type !== 'run.started') return [...events];
  const { uid, artifactsDir: from } = first;
  // Another Muster of this machine may have made it.
  const stays = basename(from) === uid && ULID.test(uid) && existsSync(from);
  const to = stays ? from : join(artifactsRoot, uid);
  const home = (path: string): string =>
    isInside(from, path) ? join(to, relative(from, path)) : join(to, 'elsewhere', basename(path));
  return events.map((stored) => ({ ...stored, event: rehomed(stored.event, { to, home }) }));
}

interface Move {
  readonly to: string;
  home(path: string): string;
}

function rehomed(event: StoredEvent['event'], { to, home }: Move): StoredEvent['event'] {
  const file = (one: Attachment): Attachment => ({ ...one, path: home(one.path) });
  switch (event.type) {
    case 'run.started':
      return {
        ...event,
        artifactsDir: to,
        attachments: event.attachments.map(file),
        files: Object.fromEntries(Object.entries(event.files).map(([name, one]) => [name, file(one)])),
      };
    case 'command.finished':
      return event.outputPath === null ? event : { ...event, outputPath: home(event.outputPath) };
    case 'turn.dispatched':
    case 'prompt.queued':
      return { ...event, attachments: event.attachments.map(file) };
    default:
      return event;
  }
}
