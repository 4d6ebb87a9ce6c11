import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { nameMask } from '@areas/diagnostics/core/scrub';
import { Diagnostics } from '@areas/diagnostics/node/diagnostics';
import type { RunRow } from '@contract/run/procedures';
import { ThisMachine } from '../../adapters/system/machine';
import { redactTexts } from '../../agents/redact';
import { folderBytes } from '../../services/disk';
import type { ServiceParts } from './service-parts';

export const createDiagnostics = ({ init, adapters, settings, status }: ServiceParts): Diagnostics => {
  const { store, secrets, artifactsRoot } = adapters;
  const runs = (most: number): RunRow[] => [
    ...store.runs({ limit: most, binned: false }).rows,
    ...store.runs({ limit: most, binned: true }).rows,
  ];
  return new Diagnostics({
    machine: new ThisMachine(init.dataDir, init.version),
    settings: () => settings.get(),
    status: () => status.status(),
    runs,
    artifactBytes: ({ uid }) => folderBytes(join(artifactsRoot, uid)),
    redact: () => {
      const projects = store.projects().flatMap(({ name, path }) => [name, path]);
      const names = runs(MOST_NAMES).flatMap(({ name, projectName }) => [name, projectName]);
      const known = redactTexts([...secrets.values(), ...ofThisUser(), ...projects, ...names]);
      // Short ones are masked only as words of their own.
      const asWords = nameMask([...secrets.values(), ...projects, ...names, hostname(), userInfo().username]);
      return (text) => asWords(known(text));
    },
  });
};

const MOST_NAMES = 500;

/** All values of the environment: which of them are secret cannot be told. */
function ofThisUser(): string[] {
  const environment = Object.values(process.env).flatMap((value) => value ?? []);
  return [...environment, homedir(), hostname(), userInfo().username];
}
