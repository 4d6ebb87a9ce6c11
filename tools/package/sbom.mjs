/** The list of what is shipped, in CycloneDX: npm's own, without what only the build and the tests use. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';
import { npm } from '../lib/run.mjs';
import { shippedPackages } from './notices.mjs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * `document`: npm's list of the whole lockfile. `shipped`: names and versions that are in the packed app. Throws if one of
 * them is not in the lockfile.
 */
export function onlyShipped(document, { shipped, electron }) {
  const known = new Map(
    document.components.map((component) => [`${component.name}@${component.version}`, component]),
  );
  const kept = [...new Set(shipped)].sort().map((name) => {
    const component = known.get(name);
    if (component === undefined) throw new Error(`${name} is packed, and package-lock.json does not name it`);
    return component;
  });
  const runtime = {
    'bom-ref': `electron@${electron}`,
    type: 'framework',
    name: 'electron',
    version: electron,
    scope: 'required',
    purl: `pkg:npm/electron@${electron}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const { component } = document.metadata;
  const refs = new Set([component['bom-ref'], ...kept.map((one) => one['bom-ref'])]);
  return {
    ...document,
    // npm takes the name from the folder.
    metadata: { ...document.metadata, component: { ...component, type: 'application', name: 'muster' } },
    components: [...kept.map((one) => ({ ...one, scope: 'required' })), runtime],
    dependencies: document.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
}

/** Writes `muster-<version>.cdx.json` into `folder` and returns its path. `electron`: the packed version. */
export async function writeSbom(folder, electron) {
  const { version } = readJson(join(root, 'package.json'));
  const written = await npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], { cwd: root });
  const shipped = shippedPackages(join(root, 'out')).map((path) => {
    const its = readJson(join(root, path, 'package.json'));
    return `${its.name}@${its.version}`;
  });
  const file = join(folder, `muster-${version}.cdx.json`);
  const document = onlyShipped(JSON.parse(written), { shipped, electron });
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  return file;
}
