import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostProgram } from '@areas/hosts/node/bootstrap';
import aliases from '../../../../tools/check/alias.cjs';
import { buildRemoteHost } from '../../../../tools/lib/remote-host.mjs';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
let built: Promise<HostProgram> | null = null;

/** The program for hosts, as the app's build makes it. */
export function hostProgram(): Promise<HostProgram> {
  built ??= make();
  return built;
}

async function make(): Promise<HostProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'host-program-'));
  const { alias } = aliases.resolve;
  await buildRemoteHost({ root, folder, alias, target: 'node20.18', minify: false });
  const bytes = readFileSync(join(folder, 'muster-host.mjs'));
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
