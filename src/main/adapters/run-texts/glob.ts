import { RE2JS } from 're2js';

/** Whether a path contains glob characters. */
export const isGlob = (path: string): boolean => /[*?{[]/.test(path);

/** The folders of a glob before its first special character. */
export function globRoot(glob: string): string {
  const parts = glob.split('/');
  const first = parts.findIndex(isGlob);
  return parts.slice(0, first < 0 ? -1 : first).join('/');
}

const ESCAPED = /[.+^$()|\\\]}]/;

/**
 * `*` and `?` match within one folder, `**` across folders, `{a,b}` alternatives, `[a-z]` a class. Null if a
 * class is invalid. Matching takes time linear in the path, whatever the glob.
 */
export function globPattern(glob: string): RE2JS | null {
  let pattern = '';
  let open = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at] ?? '';
    if (glob.startsWith('**/', at)) {
      pattern += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      pattern += '.*';
      at += 1;
    } else if (char === '*') pattern += '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{') {
      pattern += '(?:';
      open += 1;
    } else if (char === '}' && open > 0) {
      pattern += ')';
      open -= 1;
    } else if (char === ',' && open > 0) pattern += '|';
    else if (char === '[') {
      const end = glob.indexOf(']', at + 2);
      pattern +=
        end < 0
          ? '\\['
          : `[${glob
              .slice(at + 1, end)
              .replace(/^!/, '^')
              .replaceAll('\\', '\\\\')}]`;
      if (end > 0) at = end;
    } else pattern += ESCAPED.test(char) ? `\\${char}` : char;
  }
  try {
    return RE2JS.compile(`^${pattern}${')'.repeat(open)}$`);
  } catch {
    return null;
  }
}
