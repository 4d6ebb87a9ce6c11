/**
 * Which folder may import which npm package. A package that is not listed must not be imported: list it in
 * the commit that adds it to package.json, for the narrowest sufficient folder. `native` ones tie the code to
 * a runtime.
 */
const MAIN_PROCESS = ['src/main/index\\.ts$', 'src/main/windows/', 'src/main/ipc/', 'src/main/desktop/'];
const VIEW_ROOMS = 'src/(areas|features)/[^/]+/view/';

export const packages = {
  electron: {
    native: true,
    in: [...MAIN_PROCESS, 'src/main/sandbox/', 'src/main/sandbox-host/', 'src/preload/'],
  },
  pyodide: { in: ['src/sandbox-page/'] },
  'better-sqlite3': { native: true, in: ['src/main/adapters/sqlite/'] },
  pg: { in: ['src/areas/server/node/postgres/'] },
  'node-pty': { native: true, in: ['src/main/adapters/pty/'] },
  '@xterm/headless': { in: ['src/main/adapters/pty/', 'src/main/adapters/pty-client/'] },
  '@xterm/addon-serialize': { in: ['src/main/adapters/pty/'] },
  zod: {
    in: [
      'src/contract/',
      'src/(areas|features)/[^/]+/(contract|core|node)/',
      'src/main/',
      'src/renderer/client/',
    ],
  },
  '@octokit/rest': { in: ['src/areas/forges/node/github/'] },
  re2js: { in: ['src/main/core/step/', 'src/main/adapters/run-texts/'] },
  unbash: { in: ['src/areas/workflows/core/reference/script/'] },
  yaml: {
    in: [
      'src/main/adapters/',
      'src/main/agents/scripted/',
      'src/areas/workflows/view/parts/canvas/edit/[^/]*\\.test\\.ts$',
    ],
  },
  fflate: { in: ['src/areas/diagnostics/node/'] },
  ulid: { in: ['src/main/adapters/', 'src/renderer/client/'] },
  diff: { in: ['src/areas/[^/]+/node/', 'src/renderer/ui/'] },
  '@agentclientprotocol/sdk': { in: ['src/main/agents/acp/', 'src/main/agents/scripted/'] },
  '@modelcontextprotocol/sdk': { in: ['src/main/adapters/mcp/'] },
  // The server of tests.
  ssh2: { in: ['src/main/remote-host/testing/'] },
  ws: { in: ['src/main/agents/openclaw/'] },
  ai: { in: ['src/main/agents/gateway/'] },
  '@ai-sdk/anthropic': { in: ['src/main/agents/gateway/'] },
  '@ai-sdk/openai-compatible': { in: ['src/main/agents/gateway/'] },
  react: {
    in: [
      VIEW_ROOMS,
      'src/features/view\\.ts$',
      'src/renderer/(ui|parts|charts|views|shell|component-page)/',
      'src/renderer/[^/]+$',
      'src/renderer/client/hooks\\.tsx?$',
    ],
  },
  'react-dom': { in: ['src/renderer/[^/]+$', 'src/renderer/ui/', 'src/renderer/component-page/'] },
  'react-markdown': { in: ['src/renderer/ui/'] },
  'rehype-highlight': { in: ['src/renderer/ui/'] },
  'remark-gfm': { in: ['src/renderer/ui/'] },
  '@fontsource-variable/jetbrains-mono': { in: ['src/renderer/[^/]+$', 'src/renderer/ui/'] },
  lowlight: { in: ['src/renderer/ui/'] },
  'lucide-react': { in: ['src/renderer/', 'src/features/(view|marks)\\.ts$', VIEW_ROOMS] },
  '@xterm/xterm': { in: ['src/renderer/ui/'] },
  '@xterm/addon-fit': { in: ['src/renderer/ui/'] },
  '@xterm/addon-webgl': { in: ['src/renderer/ui/'] },
  '@xterm/addon-search': { in: ['src/renderer/ui/'] },
  '@dnd-kit/core': { in: ['src/areas/workflows/view/parts/step-panel/'] },
  '@dnd-kit/sortable': { in: ['src/areas/workflows/view/parts/step-panel/'] },
  ...Object.fromEntries(
    ['autocomplete', 'commands', 'lang-yaml', 'language', 'lint', 'search', 'state', 'view'].map((name) => [
      `@codemirror/${name}`,
      { in: ['src/areas/workflows/view/parts/yaml-editor/'] },
    ]),
  ),
  '@lezer/highlight': { in: ['src/areas/workflows/view/parts/yaml-editor/'] },
  '@xyflow/react': { in: ['src/areas/workflows/view/parts/canvas/flow/'] },
  uplot: { in: ['src/renderer/charts/'] },
  elkjs: { in: ['src/areas/workflows/view/parts/canvas/layout/'] },
  cmdk: { in: ['src/renderer/', VIEW_ROOMS] },
  'react-resizable-panels': { in: ['src/renderer/', VIEW_ROOMS] },
  '@tanstack/react-virtual': { in: ['src/renderer/ui/', VIEW_ROOMS] },
};
