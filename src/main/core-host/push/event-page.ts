import type { StoredEvent } from '@contract/run/events';
import { maskedEvent } from '@contract/run/masked-event';

/** The first events, at least one, up to a number or bytes. */
export function pageOf(
  events: Iterable<StoredEvent>,
  { limit, bytes = Number.POSITIVE_INFINITY }: { limit: number; bytes?: number | undefined },
): StoredEvent[] {
  const page: StoredEvent[] = [];
  let size = 0;
  for (const stored of events) {
    const event = maskedEvent(stored);
    if (Number.isFinite(bytes)) size += Buffer.byteLength(JSON.stringify(event));
    if (page.length > 0 && size > bytes) break;
    page.push(event);
    if (page.length >= limit) break;
  }
  return page;
}
