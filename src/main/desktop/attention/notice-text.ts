import { ownValue } from '@contract/own';

const LONGEST_BODY = 240;
const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A notification's body as plain text: Linux desktops interpret it as markup with links, and an agent may
 * have written it.
 */
export function noticeText(body: string, platform: NodeJS.Platform = process.platform): string {
  const short = body.slice(0, LONGEST_BODY);
  return platform === 'linux' ? short.replace(/[&<>]/g, (sign) => ownValue(MARKUP, sign) ?? sign) : short;
}
