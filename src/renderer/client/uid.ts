const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID: ten digits of the time, sixteen of chance. */
export function newUid(now = Date.now()): string {
  let time = '';
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32))
    time = (DIGITS[rest % 32] ?? '0') + time;
  const chance = crypto.getRandomValues(new Uint8Array(16));
  return time + [...chance].map((byte) => DIGITS[byte % 32]).join('');
}
