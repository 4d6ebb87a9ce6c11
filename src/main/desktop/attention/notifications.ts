import { app, type BrowserWindow, Notification, nativeImage } from 'electron';
import { needsWords } from './attention';
import type { NotificationOptions, SystemNotification } from './notifier';

/** This system's notifications. */
export const systemNotifications = {
  platform: () => process.platform,
  isSupported: () => Notification.isSupported(),
  make({ title, body, urgency, buttons }: NotificationOptions): SystemNotification {
    const actions = buttons.map((text) => ({ type: 'button' as const, text }));
    const notification = new Notification({ title, body, urgency, actions });
    return {
      on: (event, heard) =>
        void (event === 'click' ? notification.on('click', heard) : notification.on('close', heard)),
      onAct: (heard) => void notification.on('action', ({ actionIndex }) => heard(actionIndex)),
      show: () => notification.show(),
    };
  },
};

const DOT = 16;

/** Shows how many items need the operator on the dock or taskbar, if the system supports it. */
export function showCount(count: number, window: BrowserWindow | null): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  const text = count === 0 ? '' : needsWords(count);
  window?.setOverlayIcon(count === 0 ? null : amberDot(), text);
}

/** Windows overlays an image on the icon instead of a number. */
function amberDot(): Electron.NativeImage {
  const pixels = Buffer.alloc(DOT * DOT * 4);
  const middle = (DOT - 1) / 2;
  for (let at = 0; at < DOT * DOT; at += 1) {
    const far = Math.hypot((at % DOT) - middle, Math.floor(at / DOT) - middle);
    // Blue, green, red, opacity.
    if (far <= middle) pixels.set([0x1a, 0x94, 0xe8, 0xff], at * 4);
  }
  return nativeImage.createFromBitmap(pixels, { width: DOT, height: DOT });
}
