/** An address within the window: `#/run/UID/turn/3?side=1`; outside of it `muster://run/UID/turn/3`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

const SCHEME = 'muster://';

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#?\/?/, '');
  const cut = text.indexOf('?');
  const path = (cut < 0 ? text : text.slice(0, cut)).split('/').filter((part) => part !== '');
  const query = cut < 0 ? {} : Object.fromEntries(new URLSearchParams(text.slice(cut + 1)));
  return { path: path.map(decode), query };
}

export function formatRoute(route: Route): string {
  const entries = Object.entries(route.query).filter(([, value]) => value !== '');
  const query = entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
  return `#/${route.path.map(encodeURIComponent).join('/')}${query}`;
}

export const hashOf = (...path: (string | number)[]): string =>
  formatRoute({ path: path.map(String), query: {} });

/** The address that is copied, and that the system passes to the app. */
export const addressOf = (...path: (string | number)[]): string =>
  SCHEME + path.map((part) => encodeURIComponent(String(part))).join('/');

/** The hash for a pasted, clicked or sent address; null if it is none. */
export function hashOfAddress(text: string): string | null {
  const trimmed = text.trim();
  if (!trimmed.toLowerCase().startsWith(SCHEME)) return null;
  return formatRoute(parseRoute(trimmed.slice(SCHEME.length)));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An address with a query: the search stays when another row is selected. */
export const withQuery = (hash: string, query: Readonly<Record<string, string>>): string =>
  formatRoute({ path: parseRoute(hash).path, query });

export const navigate = (hash: string): void => {
  if (window.location.hash !== hash) window.location.hash = hash;
};

/** Changes the address without a history entry: for changes that follow the selection. */
export function replaceRoute(hash: string): void {
  if (window.location.hash === hash) return;
  window.history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes the query of the current address. */
export function setQuery(change: Record<string, string>): void {
  const route = parseRoute(window.location.hash);
  replaceRoute(formatRoute({ path: route.path, query: { ...route.query, ...change } }));
}
