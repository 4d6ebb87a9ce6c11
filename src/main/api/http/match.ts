import { setOwnValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import { badRequest, type Fault } from './fault';
import type { Route } from './route';

interface Match {
  readonly route: Route;
  readonly words: Readonly<Record<string, string>>;
}

/** The route for a path, or the methods it supports. */
export function match(routes: readonly Route[], method: string, path: string): Result<Match, Fault> {
  const found = routes.flatMap((route): Match[] => {
    const words = wordsOf(route.path, path);
    return words === null ? [] : [{ route, words }];
  });
  if (found.length === 0) return err(badRequest(`there is nothing at ${path}`, { status: 404 }));
  const fit = found.find(({ route }) => route.method === method);
  if (fit !== undefined) return ok(fit);
  const allow = [...new Set(found.map(({ route }) => route.method))].join(', ');
  return err(badRequest(`${path} takes ${allow} only`, { status: 405, headers: { allow } }));
}

function wordsOf(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const words: Record<string, string> = {};
  for (const [index, word] of wanted.entries()) {
    const actual = given[index] ?? '';
    if (word.startsWith(':') && actual !== '') setOwnValue(words, word.slice(1), decode(actual));
    else if (word !== actual) return null;
  }
  return words;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
