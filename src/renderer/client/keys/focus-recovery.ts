/** Where the focus rests without anything being pressed or written by mistake. */
const RESTS = '[data-focus]:not(textarea, input), [data-part="stack"]';
const COLUMN = '[data-part^="column-"], [data-part="narrow"], main';
const LIST = '[data-part="list"]';

/**
 * Keeps the focus near an element that had it and was removed or disabled, such as the button of a question that was
 * answered: the browser would move it to the page's beginning, and Tab would start there.
 */
export function keepFocus(page: Document): () => void {
  const leaves = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    // While it is removed it is still in its place.
    const around = [...ancestorsOf(target)];
    requestAnimationFrame(() => {
      if (page.activeElement !== page.body || !isGone(target)) return;
      rest(standIn(around));
    });
  };
  page.addEventListener('focusout', leaves);
  return () => page.removeEventListener('focusout', leaves);
}

/** A ring around a whole pane, which Tab never reaches, would say that something is chosen: it gets none. */
function rest(place: HTMLElement | null): void {
  if (place === null) return;
  if (place.tabIndex < 0) {
    place.setAttribute('data-rests', '');
    place.addEventListener('blur', () => place.removeAttribute('data-rests'), { once: true });
  }
  place.focus({ preventScroll: true });
}

/** Whether an element can have the focus no more: it was removed or disabled. */
export const isGone = (element: EventTarget): boolean =>
  !(element instanceof HTMLElement) ||
  !element.isConnected ||
  ('disabled' in element && element.disabled === true);

function* ancestorsOf(element: HTMLElement): Generator<HTMLElement> {
  for (let at = element.parentElement; at !== null; at = at.parentElement) yield at;
}

/** The nearest place that is left, at most that of the column; else the list beside it. */
function standIn(around: readonly HTMLElement[]): HTMLElement | null {
  for (const element of around.filter(({ isConnected }) => isConnected)) {
    if (element.matches(`${RESTS}, ${LIST}`)) return element;
    const inside = element.querySelector<HTMLElement>(RESTS);
    if (inside !== null) return inside;
    if (element.matches(COLUMN)) return document.querySelector<HTMLElement>(LIST);
  }
  return null;
}
