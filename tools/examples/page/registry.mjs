/** The target folder, and the lines that register it, each with the text after which it is inserted. */
export const folder = 'src/renderer/views/projects';
export const test = 'src/renderer/views/projects/projects.test.tsx';
export const registry = {
  'src/renderer/views/registry.ts': [
    ['', "import { projectsActions } from './projects/actions';\n"],
    [
      'const own: readonly ViewEntry[] = [\n',
      "  { id: 'projects', title: 'Projects', icon: Bot, key: 'j', component: later(async () => (await import('./projects')).ProjectsView), actions: projectsActions, paths: ['projects'] },\n",
    ],
  ],
};
