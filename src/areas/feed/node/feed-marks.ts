import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';
import type { FeedMarks } from '../contract/procedures';

const KEY = 'feed.readTo';
const OPENED = 'feed.opened';
/** Counting stops here: no one reads a larger number. */
const MOST_COUNTED = 1_000;
const storedSchema = z.number().int().nonnegative().catch(0);
const openedSchema = z.array(z.number().int()).catch([]);

/** The last update that the operator has read in the feed, and newer ones read individually. */
export class FeedMarksService {
  constructor(private readonly store: Pick<Store, 'setting' | 'setSetting' | 'unread'>) {}

  marks(): FeedMarks {
    const readTo = storedSchema.parse(this.store.setting(KEY) ?? 0);
    const opened = openedSchema.parse(this.store.setting(OPENED) ?? []).filter((id) => id > readTo);
    return { readTo, opened, unread: Math.max(0, this.store.unread(readTo, MOST_COUNTED) - opened.length) };
  }

  /** An earlier mark changes nothing: what was read stays read. */
  markRead(upTo: number): FeedMarks {
    const { readTo, opened } = this.marks();
    if (upTo > readTo) {
      this.store.setSetting(KEY, upTo);
      this.store.setSetting(
        OPENED,
        opened.filter((id) => id > upTo),
      );
    }
    return this.marks();
  }

  /**
   * Marks one update as read. Only the newest of these marks are kept; older updates count as unread again.
   */
  markOpened(id: number): FeedMarks {
    const { readTo, opened } = this.marks();
    if (id > readTo && !opened.includes(id))
      this.store.setSetting(OPENED, [...opened, id].slice(-MOST_COUNTED));
    return this.marks();
  }
}
