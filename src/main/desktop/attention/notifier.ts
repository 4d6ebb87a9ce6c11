import type { Notice, NoticeAct } from './attention';
import { noticeText } from './notice-text';

/** A system notification. */
export interface SystemNotification {
  on(event: 'click' | 'close', heard: () => void): void;
  /** A press on one of its buttons, by index. */
  onAct(heard: (index: number) => void): void;
  show(): void;
}

export interface NotificationOptions {
  readonly title: string;
  readonly body: string;
  readonly urgency: 'normal' | 'critical';
  readonly buttons: readonly string[];
}

interface NotifierParts {
  platform(): NodeJS.Platform;
  isSupported(): boolean;
  make(options: NotificationOptions): SystemNotification;
  opened(place: string): void;
  acted(act: NoticeAct): void;
}

/** Platforms whose notifications have buttons. */
const WITH_BUTTONS: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/** Shows notices as system notifications. */
export class Notifier {
  /** Kept until closed: a garbage-collected notification no longer receives clicks. */
  readonly #shown = new Set<SystemNotification>();

  constructor(private readonly parts: NotifierParts) {}

  show({ title, body, place, kind, isReminder, acts = [] }: Notice): void {
    const { isSupported, make, opened, acted } = this.parts;
    if (!isSupported()) return;
    const platform = this.parts.platform();
    const buttons = WITH_BUTTONS.includes(platform) ? acts : [];
    const notification = make({
      title,
      body: noticeText(body, platform),
      buttons: buttons.map(({ label }) => label),
      urgency: kind === 'failed' || isReminder === true ? 'critical' : 'normal',
    });
    this.#shown.add(notification);
    notification.on('click', () => opened(place));
    notification.on('close', () => this.#shown.delete(notification));
    notification.onAct((index) => {
      const act = buttons[index];
      if (act !== undefined) acted(act);
    });
    notification.show();
  }
}
