import type { SystemStatus } from '@contract/system/procedures';
import type { Store } from '@main/core/ports/store/store';
import { z } from 'zod';

export type Notice = SystemStatus['notices'][number];

const KEY = 'notices.kept';
/** Maximum notices at once; the oldest are dropped. */
const MOST_KEPT = 50;

const storedSchema = z
  .array(z.object({ id: z.string(), level: z.enum(['info', 'warning', 'error']), text: z.string() }))
  .catch([]);

/** Notices that stay, also over restarts, until the operator dismisses them or they no longer apply. */
export class NoticeStore {
  private notices: Map<string, Notice> | null = null;

  constructor(private readonly store: Pick<Store, 'setting' | 'setSetting'>) {}

  all(): Iterable<Notice> {
    return this.read().values();
  }

  /** Replaces the notice with the same id. */
  keep(notice: Notice): void {
    const notices = this.read();
    if (notices.get(notice.id)?.text === notice.text) return;
    notices.delete(notice.id);
    notices.set(notice.id, notice);
    const [oldest] = notices.keys();
    if (notices.size > MOST_KEPT && oldest !== undefined) notices.delete(oldest);
    this.write(notices);
  }

  /** False if there was no notice with this id. */
  remove(id: string): boolean {
    const notices = this.read();
    if (!notices.delete(id)) return false;
    this.write(notices);
    return true;
  }

  private read(): Map<string, Notice> {
    this.notices ??= new Map(
      storedSchema.parse(this.store.setting(KEY) ?? []).map((notice) => [notice.id, notice]),
    );
    return this.notices;
  }

  private write(notices: ReadonlyMap<string, Notice>): void {
    this.store.setSetting(KEY, [...notices.values()]);
  }
}
