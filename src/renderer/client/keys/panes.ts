/** The parts of the window that F6 goes round, in the order in which they are read. */
const PANES =
  'nav[aria-label="Views"], [data-part="column-list"], [data-part="narrow"], [data-part="column-detail"], [data-part="column-side"]';
/** Where a pane takes the focus: its list, its resting place, else what Tab would reach first. */
const PLACES = [
  '[aria-current="page"]',
  '[data-part="list"], [role="tree"][tabindex]',
  '[data-part="stack"]',
  '[data-focus]',
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex="0"]',
];

/** Moves the focus to the next pane, or the one before; what is hidden or empty is passed over. */
export function toPane(page: Document, by: 1 | -1): void {
  const panes = [...page.querySelectorAll<HTMLElement>(PANES)].filter((pane) => placeIn(pane) !== null);
  if (panes.length === 0) return;
  const at = panes.findIndex((pane) => pane.contains(page.activeElement));
  const next = at < 0 ? (by === 1 ? 0 : panes.length - 1) : (at + by + panes.length) % panes.length;
  const pane = panes[next];
  if (pane !== undefined) placeIn(pane)?.focus();
}

function placeIn(pane: HTMLElement): HTMLElement | null {
  for (const selector of PLACES) {
    const place = [...pane.querySelectorAll<HTMLElement>(selector)].find((one) => one.offsetParent !== null);
    if (place !== undefined) return place;
  }
  return null;
}
