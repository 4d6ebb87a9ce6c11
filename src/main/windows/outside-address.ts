const WEB = ['https:', 'http:'];
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address that the browser may be given for a link, in the form in which it shows where it leads; null for anything
 * but the web, and where a name and password would hide the real host.
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

/** Whether what is sent there can be read on the way: not where it never leaves this machine. */
export function isExposed(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}
