import { copyText } from '../../../parts/copy';
import { openInEditor } from '../../../parts/error-note';
import type { TerminalLink } from '../../../ui/terminal-links';

/**
 * Opens what a terminal shows: an address in the browser, which main asks about first, and where it takes https only; a
 * file in the operator's editor, from the folder in which the program was started.
 */
export function openLink(link: TerminalLink, cwd: string | null): void {
  if (link.kind === 'file') return openInEditor(absolute(link.path, cwd ?? '/'), link.line ?? undefined);
  if (link.url.startsWith('https:')) window.open(link.url, '_blank', 'noreferrer');
  else copyText(link.url, `Only https addresses are opened: ${link.url} is copied`);
}

/** A path as the program meant it. */
export function absolute(path: string, cwd: string): string {
  if (path.startsWith('/')) return path;
  const parts = cwd.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.length = Math.max(1, parts.length - 1);
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '/';
}
