import { anyOf, searchWords } from './search-words';

/** More marks than this help no reader. */
const MOST_MARKS = 500;
const NAME = 'found';

/**
 * Marks words wherever they are drawn inside an element, for as long as it is watched, and scrolls to the
 * first one. The marks are ranges beside the page: what React drew is not changed.
 */
export function highlightMatches(root: Element, text: string): () => void {
  const pattern = anyOf(searchWords(text));
  if (pattern === null) return () => undefined;
  let frame = 0;
  let shown = false;
  const mark = () => {
    frame = 0;
    const ranges = rangesIn(root, pattern);
    CSS.highlights.set(NAME, new Highlight(...ranges));
    const [first] = ranges;
    if (shown || first === undefined) return;
    shown = true;
    unfold(first);
    first.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  };
  const later = () => {
    frame ||= requestAnimationFrame(mark);
  };
  const observer = new MutationObserver(later);
  observer.observe(root, { childList: true, subtree: true, characterData: true });
  later();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    CSS.highlights.delete(NAME);
  };
}

function rangesIn(root: Element, pattern: RegExp): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    for (const { index, 0: hit } of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + hit.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Expands a folded text if the word is in its hidden part. */
function unfold(range: Range): void {
  const folded = range.startContainer.parentElement?.closest('[data-part="folded-text"]');
  const text = folded?.firstElementChild;
  if (!folded || !text) return;
  if (range.getBoundingClientRect().bottom > text.getBoundingClientRect().bottom)
    folded.querySelector<HTMLElement>('button[aria-expanded="false"]')?.click();
}
