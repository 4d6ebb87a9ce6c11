import { openInEditor } from '@renderer/parts/problems/error-note';
import type { TerminalLink } from '@renderer/ui/terminal/links';

/**
 * Opens a link in a terminal: a web address in the browser, after main has asked; a file in the operator's
 * editor, relative to the folder in which the program was started.
 */
export function openLink(link: TerminalLink, cwd: string | null): void {
  if (link.kind === 'file') return openInEditor(absolute(link.path, cwd ?? '/'), link.line ?? undefined);
  window.open(link.url, '_blank', 'noreferrer');
}

/** A path resolved as the program meant it. */
export function absolute(path: string, cwd: string): string {
  if (path.startsWith('/')) return path;
  const parts = cwd.split('/');
  for (const part of path.split('/')) {
    if (part === '..') parts.length = Math.max(1, parts.length - 1);
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '/';
}
