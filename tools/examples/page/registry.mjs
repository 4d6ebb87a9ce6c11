/** The target folder, and the lines that register it, each with the text after which it is inserted. */
export const folder = 'src/areas/projects/view';
export const test = 'src/areas/projects/view/projects.test.tsx';
export const registry = {
  'src/renderer/views/registry.ts': [
    ['', "import { projectsActions } from '@areas/projects/view/actions';\n"],
    [
      'const own: readonly ViewEntry[] = [\n',
      "  { id: 'projects', group: 'Build', title: 'Projects', icon: Bot, key: 'j', component: later(async () => (await import('@areas/projects/view')).ProjectsView), actions: projectsActions, paths: ['projects'] },\n",
    ],
  ],
};
