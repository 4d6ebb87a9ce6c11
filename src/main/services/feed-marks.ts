import type { FeedMarks } from '@contract/update/procedures';
import { z } from 'zod';
import type { Store } from '../core/ports/store';

const KEY = 'feed.readTo';
/** More are not counted: no one reads the number. */
const MOST = 1_000;
const storedSchema = z.number().int().nonnegative().catch(0);

/** Up to which update the operator has read the feed. */
export class FeedMarksService {
  constructor(private readonly store: Pick<Store, 'setting' | 'setSetting' | 'unread'>) {}

  marks(): FeedMarks {
    const readTo = storedSchema.parse(this.store.setting(KEY) ?? 0);
    return { readTo, unread: this.store.unread(readTo, MOST) };
  }

  /** Never back: what was read stays read. */
  markRead(upTo: number): FeedMarks {
    const { readTo } = this.marks();
    if (upTo > readTo) this.store.setSetting(KEY, upTo);
    return this.marks();
  }
}
