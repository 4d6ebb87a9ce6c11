/** A message's origin according to Electron. */
export interface Sender {
  /** The address of the sending frame; null if that frame is gone. */
  readonly url: string | null;
  readonly mainFrame: boolean;
  /** It came from a window that we opened. */
  readonly ownWindow: boolean;
}

/** Only the main frame of our own window, and only while it shows our own page. */
export function isTrusted(sender: Sender, pageUrl: string): boolean {
  return sender.ownWindow && sender.mainFrame && sender.url !== null && sameSite(sender.url, pageUrl);
}

/** By scheme and host: Node defines no origin for custom schemes. */
export function sameSite(url: string, pageUrl: string): boolean {
  const [one, other] = [parse(url), parse(pageUrl)];
  if (!one || !other) return false;
  const plain = one.username === '' && one.password === '';
  return plain && one.protocol === other.protocol && one.host === other.host;
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}
