import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown-text';

/** The parser and highlighter are half of the window's code; the start does not wait for them. */
const MarkdownText = lazy(async () => ({ default: (await import('./markdown-text')).MarkdownText }));

/** Markdown; until it is loaded, its plain text. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<div className="markdown reads plain">{props.text.slice(-4000).trim()}</div>}>
      <MarkdownText {...props} />
    </Suspense>
  );
}
