/**
 * A check that never failed is unproven: plants at least one violation of every boundary rule in a temporary
 * tree, along with allowed imports, and asserts that exactly the violations are reported.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { modules, root } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';
import boundaries from './boundaries.mjs';
import { packages } from './packages.mjs';

/** file -> [the rules it must break, what it imports]; no rules means that it must pass. */
const planted = {
  'src/contract/clean.ts': [[], 'zod', './ids'],
  'src/contract/ids.ts': [[], 'zod'],
  'src/contract/impure.ts': [['contract-is-pure'], 'node:path'],
  'src/contract/run/names-a-room.ts': [
    ['platform-knows-no-feature'],
    'type ../../features/one/contract/clean',
  ],
  'src/contract/run/registered.ts': [[], '../../features/contract', '../../features/procedures'],
  'src/contract/run/names-core.ts': [['contract-is-pure'], '../../features/core'],
  'src/main/core/engine/clean.ts': [[], '@contract/ids', '../ports/port', '../step/api', 'zod'],
  'src/main/core/ports/port.ts': [[], '@contract/ids'],
  'src/main/core/step/api.ts': [[], '@contract/ids'],
  'src/main/core/engine/feature-module.ts': [[], '@contract/ids'],
  'src/main/core/engine/names-a-room.ts': [['platform-knows-no-feature'], '../../../features/one/core/clean'],
  'src/main/core/engine/registered.ts': [[], '../../../features/core', '../../../features/contract'],
  'src/main/core/engine/draws.ts': [['core-is-pure'], '../../../features/view'],
  'src/main/core/engine/clock.ts': [['core-is-pure'], 'node:timers'],
  'src/main/core/engine/typed.ts': [['core-is-pure', 'native-at-edge'], 'type electron'],
  'src/main/core/engine/service.ts': [['core-is-pure'], '../../services/clean'],
  'src/main/core/engine/engine.test.ts': [[], 'node:path', './clean'],
  'src/main/core/engine/uses-test.ts': [['not-to-tests'], './engine.test'],
  'src/main/adapters/sandbox/hosted.ts': [[], '@contract/ids'],
  'src/main/core-host/eager.ts': [['sandbox-on-demand'], '../adapters/sandbox/hosted'],
  'src/main/core-host/eager-host.ts': [['sandbox-on-demand'], '../sandbox/clean'],
  'src/main/core-host/eager-server.ts': [['server-on-demand'], '../../areas/server/node/clean'],
  'src/areas/server/node/clean.ts': [[], 'node:path'],
  'src/main/core/engine/ring-a.ts': [['no-cycle'], './ring-b'],
  'src/main/core/engine/ring-b.ts': [[], './ring-a'],
  'src/main/core/engine/lost.ts': [['resolvable'], './not-there'],
  'src/main/core/engine/alone.ts': [['no-orphan']],
  'src/areas/runs/contract/clean.ts': [[], '@contract/ids', '../../attention/contract/clean', 'zod'],
  'src/areas/attention/contract/clean.ts': [[], 'zod'],
  'src/areas/runs/contract/decides.ts': [['contract-is-pure'], '../core/clean'],
  'src/areas/runs/contract/feature.ts': [
    ['platform-knows-no-feature'],
    '../../../features/one/contract/clean',
  ],
  'src/areas/runs/core/clean.ts': [[], '../contract/clean', '../../../main/core/step/api', 'zod'],
  'src/areas/runs/core/serves.ts': [['core-is-pure'], 'type ../node/clean'],
  'src/areas/runs/core/node.ts': [['core-is-pure'], 'node:fs'],
  'src/areas/runs/node/clean.ts': [[], 'node:path', '../core/clean', '../../attention/contract/clean'],
  'src/areas/runs/node/stores.ts': [['services-not-to-adapters'], '../../../main/adapters/sqlite/clean'],
  'src/areas/runs/node/prints.ts': [['services-not-to-adapters'], './commands/clean'],
  'src/areas/runs/node/draws.ts': [['services-not-to-adapters'], 'type ../view/clean'],
  'src/areas/runs/node/routes.ts': [[], './clean', '../../../main/api/clean'],
  'src/areas/runs/node/routes/stores.ts': [
    ['services-not-to-adapters'],
    '../../../../main/adapters/git/clean',
  ],
  'src/areas/runs/node/commands/clean.ts': [[], '../clean', '../../../../main/cli/clean'],
  'src/areas/runs/node/commands/draws.ts': [['commands-talk-to-a-core'], '../../view/clean'],
  'src/features/one/contract/clean.ts': [[], '@contract/ids', 'zod'],
  'src/features/one/contract/core.ts': [['feature-contract-is-pure'], '../core/clean'],
  'src/features/one/core/clean.ts': [
    [],
    '@contract/ids',
    '../contract/clean',
    '../../../main/core/step/api',
    'zod',
  ],
  'src/features/one/core/node.ts': [['feature-core-is-pure'], 'node:fs'],
  'src/features/one/core/engine.ts': [['feature-core-is-pure'], '../../../main/core/engine/clean'],
  'src/features/two/core/sibling.ts': [['feature-core-is-pure'], '../../one/core/clean'],
  'src/features/one/core/module.ts': [[], '../../../main/core/engine/feature-module'],
  'src/features/one/contract/sibling.ts': [['feature-contract-is-pure'], 'type ../../two/contract/clean'],
  'src/features/two/contract/clean.ts': [[], '@contract/ids'],
  'src/features/one/core/upwards.ts': [['feature-core-is-pure'], '../view/clean'],
  'src/features/one/view/clean.tsx': [
    [],
    'react',
    '../contract/clean',
    '../../../renderer/parts/clean',
    '../../../areas/runs/view/parts/clean',
    '../../../renderer/ui/clean',
  ],
  'src/features/one/view/sideways.ts': [['feature-view-is-of-the-window'], 'type ../core/clean'],
  'src/features/one/view/sibling.ts': [['feature-view-is-of-the-window'], '../../two/contract/clean'],
  'src/features/one/view/node.ts': [['feature-view-is-of-the-window'], 'node:fs'],
  'src/features/one/view/views.ts': [
    ['feature-view-is-of-the-window'],
    '../../../areas/attention/view/clean',
  ],
  'src/features/one/node/services.ts': [
    [],
    'node:path',
    '@contract/ids',
    '../core/clean',
    './git/checkout',
    '../../../main/services/clean',
    '../../../main/api/clean',
    '../../../main/sdk/clean',
  ],
  'src/features/one/node/reads.ts': [['feature-node-serves'], '../../../main/adapters/sqlite/clean'],
  'src/features/one/node/prints.ts': [['feature-node-serves'], './commands/clean'],
  'src/features/two/node/sibling.ts': [['feature-node-serves'], '../../one/node/services'],
  'src/features/one/node/draws.ts': [['feature-node-serves'], '../view/clean'],
  'src/features/one/node/composes.ts': [
    ['entries-are-last', 'feature-node-serves'],
    '../../../main/core-host/compose',
  ],
  'src/features/one/node/native.ts': [['native-at-edge'], 'electron'],
  'src/features/one/node/commands/clean.ts': [[], '../../contract/clean', '../../../../main/cli/clean'],
  'src/features/one/node/commands/serves.ts': [['feature-node-serves'], '../services'],
  'src/features/one/node/git/checkout.ts': [
    [],
    '../../contract/clean',
    '../../../../main/adapters/git/clean',
  ],
  'src/features/one/node/git/decides.ts': [['feature-node-serves'], '../../core/clean'],
  'src/features/one/core/serves.ts': [['feature-core-is-pure'], '../node/services'],
  'src/features/one/contract/serves.ts': [['feature-contract-is-pure'], 'type ../node/services'],
  'src/features/one/view/serves.ts': [['feature-view-is-of-the-window'], 'type ../node/services'],
  'src/features/node.ts': [[], './one/node/services', '../main/sdk/clean'],
  'src/features/routes.ts': [['registries-only-register'], './one/view/clean'],
  'src/features/commands.ts': [[], './one/node/commands/clean', '../main/cli/clean'],
  'src/features/event-lines.ts': [['registries-only-register'], '../main/services/clean'],
  'src/main/sdk/clean.ts': [[], '../services/clean', '../adapters/git/clean', '@contract/ids'],
  'src/main/sdk/serves.ts': [['sdk-is-what-features-use'], '../api/clean'],
  'src/main/services/registry.ts': [['services-not-to-adapters'], '../../features/node'],
  'src/main/core/engine/registry.ts': [['core-is-pure'], '../../../features/node'],
  'src/main/cli/clean.ts': [[], '@contract/ids', '../api/clean'],
  'src/main/adapters/git/clean.ts': [[], 'node:fs'],
  'src/features/contract.ts': [[], './one/contract/clean', './two/contract/clean'],
  'src/features/procedures.ts': [['registries-only-register'], './one/core/clean'],
  'src/features/core.ts': [[], './one/core/clean'],
  'src/features/view.ts': [[], './one/view/clean', '../renderer/parts/clean'],
  'src/features/marks.ts': [[], './one/view/name', 'type ../renderer/parts/clean'],
  'src/features/one/view/name.ts': [[], '@contract/ids'],
  'src/main/services/feature.ts': [['platform-knows-no-feature'], '../../features/one/contract/clean'],
  'src/main/sandbox/clean.ts': [[], '@contract/ids', 'electron', 'node:fs'],
  'src/main/sandbox/service.ts': [['sandbox-knows-only-its-wire'], '../services/clean'],
  'src/main/sandbox-host/clean.ts': [[], '../sandbox/clean', 'electron'],
  'src/main/sandbox-host/adapter.ts': [['sandbox-knows-only-its-wire'], '../adapters/sqlite/clean'],
  'src/main/remote-host/clean.ts': [[], '@contract/ids', '../core/ports/port', 'node:fs'],
  'src/main/remote-host/service.ts': [['remote-host-is-one-program'], '../services/clean'],
  'src/sandbox-page/clean.ts': [[], '@contract/ids', 'pyodide'],
  'src/sandbox-page/node.ts': [['sandbox-page-is-alone'], 'node:fs'],
  'src/sandbox-page/main.ts': [['sandbox-page-is-alone'], '../main/sandbox/clean'],
  'src/main/agents/acp/clean.ts': [[], '@contract/ids', '../../core/ports/port', '@agentclientprotocol/sdk'],
  'src/main/agents/acp/engine.ts': [['agents-use-ports'], '../../core/engine/clean'],
  'src/main/agents/acp/spawn.ts': [['agents-have-no-effects'], 'node:child_process'],
  'src/main/agents/cli/sibling.ts': [['no-sibling-imports'], '../acp/clean'],
  'src/main/agents/scripted/process/clean.ts': [[], 'node:fs', '@agentclientprotocol/sdk'],
  'src/main/adapters/sqlite/clean.ts': [[], 'better-sqlite3', 'node:fs', '../../core/ports/port'],
  'src/main/adapters/sqlite/service.ts': [['adapters-use-ports'], '../../services/clean'],
  'src/main/adapters/git/sibling.ts': [['no-sibling-imports'], '../sqlite/clean'],
  'src/main/adapters/git/database.ts': [['native-at-edge'], 'better-sqlite3'],
  'src/main/services/clean.ts': [
    [],
    '@contract/ids',
    '../core/engine/clean',
    '../guarded-files/clean',
    'zod',
  ],
  'src/main/guarded-files/clean.ts': [[], 'node:fs/promises'],
  'src/main/guarded-files/service.ts': [['guarded-files-are-a-leaf'], '../services/clean'],
  'src/main/services/adapter.ts': [['services-not-to-adapters'], '../adapters/sqlite/clean'],
  'src/main/services/api.ts': [['services-not-to-adapters'], '../api/clean'],
  'src/main/api/clean.ts': [[], '../services/clean', 'node:http'],
  'src/main/ipc/clean.ts': [[], 'electron', '@contract/ids', 'type ../services/clean'],
  'src/main/ipc/logic.ts': [['ipc-holds-no-logic'], '../services/clean'],
  'src/main/ipc/core.ts': [['ipc-holds-no-logic'], '../core/engine/clean'],
  'src/main/windows/clean.ts': [[], 'electron', 'node:path', '../limits/main'],
  'src/main/windows/other-table.ts': [['windows-hold-no-logic'], '../limits/core'],
  'src/main/limits/main.ts': [[], '@contract/ids'],
  'src/main/limits/core.ts': [['tables-hold-numbers'], 'type ../services/clean'],
  'src/main/windows/service.ts': [['windows-hold-no-logic'], '../services/clean'],
  'src/main/core-host/compose.ts': [
    [],
    '../services/clean',
    '../adapters/sqlite/clean',
    '../agents/acp/clean',
  ],
  'src/main/core-host/index.ts': [[], './compose'],
  'src/main/core-host/native.ts': [['native-at-edge'], 'node-pty'],
  'src/main/ipc/entry.ts': [['entries-are-last', 'ipc-holds-no-logic'], '../core-host/index'],
  'src/main/services/composes.ts': [['entries-are-last', 'services-not-to-adapters'], '../core-host/compose'],
  'src/main/services/yaml.ts': [['package-at-its-place'], 'yaml'],
  'src/main/services/unknown.ts': [['package-not-listed'], 'left-pad'],
  'src/preload/index.ts': [[], 'electron', 'type @contract/ids'],
  'src/preload/parses.ts': [['package-at-its-place', 'preload-is-thin'], 'zod'],
  'src/renderer/main.tsx': [[], 'react', '../areas/runs/view/clean'],
  'src/renderer/client/clean.ts': [[], '@contract/ids'],
  'src/renderer/ui/clean.tsx': [[], 'react'],
  'src/areas/runs/view/clean.tsx': [
    [],
    'react',
    '@contract/ids',
    '../../../renderer/client/clean',
    '../../../renderer/ui/clean',
    '../../attention/view/parts/clean',
  ],
  'src/areas/runs/view/parts/clean.tsx': [
    [],
    '../../../../renderer/parts/clean',
    '../../../attention/view/parts/clean',
  ],
  'src/areas/runs/view/parts/page.tsx': [['renderer-layers'], '../clean'],
  'src/areas/attention/view/parts/clean.tsx': [[], '@contract/ids'],
  'src/areas/attention/view/clean.tsx': [[], 'react'],
  'src/renderer/views/registry.ts': [[], '../../features/view', '../../areas/runs/view/clean'],
  'src/renderer/parts/names-a-feature.ts': [
    ['platform-knows-no-feature'],
    '../../features/one/contract/clean',
  ],
  'src/areas/attention/view/sibling.tsx': [['no-sibling-imports'], '../../runs/view/clean'],
  'src/areas/attention/view/main.tsx': [['renderer-layers'], '../../../main/services/clean'],
  'src/areas/attention/view/node.tsx': [['renderer-contract-only'], 'node:fs'],
  'src/renderer/parts/clean.tsx': [[], 'react', '../ui/clean', '../client/clean'],
  'src/renderer/parts/view.tsx': [['renderer-layers'], '../../areas/runs/view/clean'],
  'src/renderer/client/main.ts': [['renderer-contract-only', 'renderer-layers'], '../../main/services/clean'],
  'src/renderer/parts/marks.tsx': [[], '../../features/marks'],
  'src/renderer/parts/views.tsx': [['renderer-layers'], '../../features/view'],
  'src/renderer/shell/clean.tsx': [[], 'react', '../../areas/runs/view/clean', '../parts/clean'],
  'src/areas/attention/view/shell.tsx': [['renderer-layers'], '../../../renderer/shell/clean'],
  'src/renderer/ui/client.tsx': [['renderer-layers'], '../client/clean'],
  'src/renderer/client/draws.ts': [['renderer-layers'], '../ui/clean'],
};

function plant(folder) {
  for (const [file, [, ...imports]] of Object.entries(planted)) {
    const lines = imports.map((target, index) => {
      const [first, second] = target.split(' ');
      return second
        ? `import type { T${index} } from '${second}';`
        : `import * as m${index} from '${first}';`;
    });
    const uses = imports.map((target, index) => (target.includes(' ') ? `null as T${index}` : `m${index}`));
    write(folder, file, `${lines.join('\n')}\nexport const value = [${uses.join(', ')}];\n`);
  }
  for (const name of [...Object.keys(packages), 'left-pad']) {
    write(
      folder,
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    );
    write(folder, `node_modules/${name}/index.js`, '');
  }
  const dependencies = Object.fromEntries(
    [...Object.keys(packages), 'left-pad'].map((name) => [name, '1.0.0']),
  );
  write(folder, 'package.json', JSON.stringify({ name: 'planted', type: 'module', dependencies }));
  cpSync(join(root, 'tools', 'check'), join(folder, 'tools', 'check'), { recursive: true });
}

function write(folder, file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

async function reportedIn(folder) {
  const cruise = modules('dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = [cruise, 'src', '--config', 'tools/check/boundaries.mjs', '--output-type', 'json'];
  const { output } = await run(process.execPath, args, { cwd: folder });
  const { violations } = JSON.parse(output).summary;
  return [...new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`))].sort();
}

/** Throws unless exactly the planted violations are reported. Returns the number of rules. */
export async function selfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-boundaries-'));
  try {
    plant(folder);
    const expected = Object.entries(planted).flatMap(([file, [rules]]) =>
      rules.map((rule) => `${rule}: ${file}`),
    );
    const reported = await reportedIn(folder);
    const missed = expected.filter((line) => !reported.includes(line)).map((line) => `not reported: ${line}`);
    const wrong = reported
      .filter((line) => !expected.includes(line))
      .map((line) => `reported in error: ${line}`);
    const proven = new Set(expected.map((line) => line.split(':')[0]));
    const rules = new Set(boundaries.forbidden.map(({ name }) => name));
    const unproven = [...rules]
      .filter((name) => !proven.has(name))
      .map((name) => `no violation planted for: ${name}`);
    const problems = [...missed, ...wrong, ...unproven];
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return rules.size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
