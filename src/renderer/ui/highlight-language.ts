import { own } from '@contract/own';

/** By the end of a file's name; what is not here is shown without colours. */
const BY_END: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' },
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript' },
  ...{ py: 'python', rb: 'ruby', go: 'go', rs: 'rust', java: 'java', kt: 'kotlin', swift: 'swift' },
  ...{ c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', hpp: 'cpp', cs: 'csharp', m: 'objectivec', php: 'php' },
  ...{ sh: 'bash', bash: 'bash', zsh: 'bash', pl: 'perl', lua: 'lua', r: 'r', sql: 'sql' },
  ...{ css: 'css', scss: 'scss', less: 'less', html: 'xml', xml: 'xml', svg: 'xml', vue: 'xml' },
  ...{ json: 'json', jsonc: 'json', yaml: 'yaml', yml: 'yaml', toml: 'ini', ini: 'ini', md: 'markdown' },
  ...{ graphql: 'graphql', gql: 'graphql', vb: 'vbnet', diff: 'diff', patch: 'diff' },
};
const BY_NAME: Readonly<Record<string, string>> = { makefile: 'makefile', gemfile: 'ruby', rakefile: 'ruby' };

/** The language that a file's name tells, as the highlighter calls it. */
export function languageOf(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  const dot = name.lastIndexOf('.');
  return own(BY_NAME, name) ?? (dot < 0 ? null : (own(BY_END, name.slice(dot + 1)) ?? null));
}
