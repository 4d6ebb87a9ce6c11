import { expect, test } from 'vitest';
import { onlyShipped } from './sbom.mjs';

const component = (name, version) => ({
  'bom-ref': `${name}@${version}`,
  type: 'library',
  name,
  version,
  scope: 'optional',
});
const document = {
  bomFormat: 'CycloneDX',
  metadata: { component: { 'bom-ref': 'muster@0.1.0', type: 'library', name: 'a-folder' } },
  components: [component('zod', '4.0.0'), component('zod', '3.0.0'), component('vitest', '5.0.0')],
  dependencies: [
    { ref: 'muster@0.1.0', dependsOn: ['zod@4.0.0', 'vitest@5.0.0'] },
    { ref: 'zod@4.0.0', dependsOn: [] },
    { ref: 'vitest@5.0.0', dependsOn: ['zod@3.0.0'] },
  ],
};

test('the list of what is shipped has each packed version and Electron, and nothing that only tests use', () => {
  const { components, dependencies, metadata } = onlyShipped(document, {
    shipped: ['zod@4.0.0'],
    electron: '45.0.0',
  });
  expect(components.map((one) => `${one.name}@${one.version} ${one.scope}`)).toEqual([
    'zod@4.0.0 required',
    'electron@45.0.0 required',
  ]);
  expect(dependencies).toEqual([
    { ref: 'muster@0.1.0', dependsOn: ['zod@4.0.0'] },
    { ref: 'zod@4.0.0', dependsOn: [] },
  ]);
  expect(metadata.component.name).toBe('muster');
});

test('a packed version that the lockfile does not name ends the packing', () => {
  expect(() => onlyShipped(document, { shipped: ['zod@5.0.0'], electron: '45.0.0' })).toThrow(
    'zod@5.0.0 is packed, and package-lock.json does not name it',
  );
});
