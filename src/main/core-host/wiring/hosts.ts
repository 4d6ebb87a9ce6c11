import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostService } from '@areas/hosts/node/host-service';
import { ulids } from '../../adapters/system/ids';
import { agentPresets } from '../../agents/presets';
import type { ServiceParts } from './service-parts';

/** As `engines` of package.json says, which a test compares. */
export const HOST_NODE = '22.12.0';

export function createHosts({ init, adapters, publisher }: ServiceParts): HostService {
  const { store, clock, processes } = adapters;
  return new HostService({
    store,
    clock,
    find: (command) => processes.find(command),
    environment: () => processes.environment(),
    program: async () => {
      const bytes = await readFile(join(init.processDir, 'muster-host.mjs'));
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    leastNode: HOST_NODE,
    agents: agentPresets.map(({ name, programs }) => ({ name, programs })),
    newUid: ulids.ulid,
    changed: () => publisher.changed('hosts'),
  });
}
