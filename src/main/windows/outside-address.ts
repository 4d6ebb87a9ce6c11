const WEB = ['https:', 'http:'];
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address to pass to the browser for a link, in a form that reveals its target; null for anything but web
 * addresses, and if a user name or password would hide the real host.
 */
export function outsideAddress(url: string): string | null {
  try {
    const parsed = new URL(url);
    const plain = WEB.includes(parsed.protocol) && parsed.username === '' && parsed.password === '';
    return plain ? parsed.href : null;
  } catch {
    return null;
  }
}

/** Whether the connection can be eavesdropped on: not if it stays on this machine. */
export function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}
