/** Languages by file extension; other files are shown without colours. */
const BY_END: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ts: 'typescript',
    mts: 'typescript',
    cts: 'typescript',
    tsx: 'typescript',
    js: 'javascript',
    mjs: 'javascript',
    cjs: 'javascript',
    jsx: 'javascript',
    py: 'python',
    rb: 'ruby',
    go: 'go',
    rs: 'rust',
    java: 'java',
    kt: 'kotlin',
    swift: 'swift',
    c: 'c',
    h: 'c',
    cc: 'cpp',
    cpp: 'cpp',
    hpp: 'cpp',
    cs: 'csharp',
    m: 'objectivec',
    php: 'php',
    sh: 'bash',
    bash: 'bash',
    zsh: 'bash',
    pl: 'perl',
    lua: 'lua',
    r: 'r',
    sql: 'sql',
    css: 'css',
    scss: 'scss',
    less: 'less',
    html: 'xml',
    xml: 'xml',
    svg: 'xml',
    vue: 'xml',
    json: 'json',
    jsonc: 'json',
    yaml: 'yaml',
    yml: 'yaml',
    toml: 'ini',
    ini: 'ini',
    md: 'markdown',
    graphql: 'graphql',
    gql: 'graphql',
    vb: 'vbnet',
    diff: 'diff',
    patch: 'diff',
  }),
);
const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries({ makefile: 'makefile', gemfile: 'ruby', rakefile: 'ruby' }),
);

/** The highlighter's name for the language of a file. */
export function languageOf(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  const dot = name.lastIndexOf('.');
  return BY_NAME.get(name) ?? (dot < 0 ? null : (BY_END.get(name.slice(dot + 1)) ?? null));
}
