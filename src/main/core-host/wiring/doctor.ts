import { statfs } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import type { CatalogService } from '@areas/agents/node/catalog-service';
import { DoctorService } from '@areas/doctor/node/doctor-service';
import { agentPresets } from '../../agents/presets';
import type { ServiceParts } from './service-parts';

/** Looks for what is missing on this machine, with the core's own adapters. */
export function createDoctor(parts: ServiceParts, catalog: CatalogService): DoctorService {
  const { init, adapters, publisher, secret, detected } = parts;
  const { processes, clock, sandboxes, pty } = adapters;
  return new DoctorService({
    presets: agentPresets,
    processes,
    detect: () => catalog.detect(),
    profiles: () => catalog.profiles(undefined),
    installed: detected,
    profilesChanged: () => publisher.changed('profiles'),
    secret,
    environment: () => processes.environment(),
    home: homedir(),
    dataDir: init.dataDir,
    tempDir: tmpdir(),
    clock,
    freeBytes: async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    terminals: () => pty.connected(0),
    sandboxes,
  });
}
