/** The documents of this version, as they are beside the source. `text` is Markdown, loaded when help is first opened. */
export const documents = [
  { id: 'muster', title: 'Muster', load: async () => (await import('../../../../README.md?raw')).default },
  {
    id: 'workflows',
    title: 'Workflows',
    load: async () => (await import('../../../../docs/workflows.md?raw')).default,
  },
  {
    id: 'forges',
    title: 'Issues and pull requests',
    load: async () => (await import('../../../../docs/forges.md?raw')).default,
  },
  {
    id: 'command-line',
    title: 'The command line',
    load: async () => (await import('../../../../docs/command-line.md?raw')).default,
  },
  {
    id: 'http-api',
    title: 'The HTTP API',
    load: async () => (await import('../../../../docs/http-api.md?raw')).default,
  },
  {
    id: 'changes',
    title: 'What is new',
    load: async () => (await import('../../../../CHANGELOG.md?raw')).default,
  },
] as const;
