import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { fail, ok, type Result } from '@contract/result';
import type { Host, HostCheck } from '../contract/host';
import { HOST_UPLOAD_MS } from '../contract/limits';
import { HOST_PROTOCOL } from '../contract/wire';
import { checksOf, HOST_FOLDER, type Probe, probeScript, readProbe, unfit, usableNode } from '../core/probe';
import type { Ssh } from './ssh';

/** Muster's program for hosts: one file. */
export interface HostProgram {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

interface Installed {
  readonly folder: string;
  readonly probe: Probe;
}

export const folderName = ({ sha256 }: HostProgram): string => `${HOST_PROTOCOL}-${sha256}`;

/** Reads what Muster must know about a host, and changes nothing but its own folder there. */
export async function lookAt(ssh: Ssh, host: Host, program: HostProgram): Promise<Result<Probe>> {
  const ran = await ssh.run(host, { command: 'sh', input: probeScript(folderName(program)) });
  return ran.ok ? readProbe(ran.value) : ran;
}

export const hostChecks = (host: Host, probe: Probe, leastNode: string): HostCheck[] =>
  checksOf(host.name, probe, leastNode);

/** Makes sure that this version of the program is on the host. Two desktops at once leave one valid folder. */
export async function install(
  ssh: Ssh,
  host: Host,
  { program, leastNode }: { readonly program: HostProgram; readonly leastNode: string },
): Promise<Result<Installed>> {
  const probed = await lookAt(ssh, host, program);
  if (!probed.ok) return probed;
  const probe = probed.value;
  const fit = unfit(checksOf(host.name, probe, leastNode));
  if (!fit.ok) return fit;
  if (probe.installed !== null) return ok({ folder: probe.installed, probe });
  const node = usableNode(probe, leastNode);
  if (node === null) throw new Error('a host without Node has a problem');
  const root = `${probe.home}/${HOST_FOLDER}`;
  const part = `${root}/${folderName(program)}.${randomBytes(6).toString('hex')}.part`;
  const sent = await ssh.run(host, {
    command: `sh -c 'umask 077; mkdir -p "${part}" && cat > "${part}/muster-host.mjs.gz" && echo sent'`,
    input: gzipSync(program.bytes),
    ms: HOST_UPLOAD_MS,
  });
  if (!sent.ok) return sent;
  const folder = `${root}/${folderName(program)}`;
  const finished = await ssh.run(host, {
    command: `sh -c 'exec "${node.path}" -'`,
    input: finishScript({ part, folder, node: node.path, sha256: program.sha256 }),
  });
  if (!finished.ok) return finished;
  if (finished.value.trim() !== 'installed')
    return fail(
      'host.unfit',
      `Muster's program did not arrive on ${host.name}: ${finished.value.trim().slice(0, 200)}`,
      {
        mend: `Check its disk, and try again: muster hosts test ${host.name}`,
      },
    );
  return ok({ folder, probe });
}

interface Finish {
  readonly part: string;
  readonly folder: string;
  readonly node: string;
  readonly sha256: string;
}

/** Runs on the host: checks what arrived, and gives it its name. */
const finishScript = (wish: Finish): string => `
const fs = require('node:fs');
const { part, folder, node, sha256 } = ${JSON.stringify(wish)};
const say = (text) => { process.stdout.write(text + '\\n'); };
try {
  const file = part + '/muster-host.mjs';
  const bytes = require('node:zlib').gunzipSync(fs.readFileSync(file + '.gz'));
  const found = require('node:crypto').createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error('its hash is ' + found);
  fs.writeFileSync(file, bytes, { mode: 0o600 });
  fs.unlinkSync(file + '.gz');
  const start = '#!/bin/sh\\nexec "' + node + '" "' + folder + '/muster-host.mjs" "$@"\\n';
  fs.writeFileSync(part + '/muster-host', start, { mode: 0o700 });
  try {
    fs.renameSync(part, folder);
  } catch (error) {
    if (!fs.existsSync(folder + '/muster-host')) throw error;
    fs.rmSync(part, { recursive: true });
  }
  say('installed');
} catch (error) {
  fs.rmSync(part, { recursive: true, force: true });
  say(error.message);
}
`;

/** Runs on the host: removes versions in which no process answers. */
const cleanScript = (root: string, keep: string): string => `
const fs = require('node:fs');
const net = require('node:net');
const root = ${JSON.stringify(root)};
const keep = ${JSON.stringify(keep)};
const removed = [], kept = [];
const answers = () => new Promise((resolve) => {
  const socket = net.createConnection('socket');
  socket.once('connect', () => { socket.destroy(); resolve(true); });
  socket.once('error', () => resolve(false));
});
(async () => {
  for (const name of fs.readdirSync(root)) {
    if (!/^\\d+-[0-9a-f]{64}(\\.[0-9a-f]{12}\\.part)?$/.test(name) || name === keep) continue;
    // Another desktop may be sending it now.
    if (name.endsWith('.part') && Date.now() - fs.statSync(root + '/' + name).mtimeMs < 3600e3) continue;
    process.chdir(root + '/' + name);
    const busy = await answers();
    process.chdir(root);
    if (!busy) fs.rmSync(root + '/' + name, { recursive: true, force: true });
    (busy ? kept : removed).push(name);
  }
  process.stdout.write(JSON.stringify({ removed, kept }) + '\\n');
})();
`;

/** Removes other versions of the program that have no process. Returns the script's JSON. */
export async function clean(
  ssh: Ssh,
  host: Host,
  { program, leastNode }: { readonly program: HostProgram; readonly leastNode: string },
): Promise<Result<string>> {
  const probed = await lookAt(ssh, host, program);
  if (!probed.ok) return probed;
  const node = usableNode(probed.value, leastNode);
  const fit = unfit(checksOf(host.name, probed.value, leastNode));
  if (node === null || !fit.ok) return fit.ok ? ok('') : fit;
  return ssh.run(host, {
    command: `sh -c 'exec "${node.path}" -'`,
    input: cleanScript(`${probed.value.home}/${HOST_FOLDER}`, folderName(program)),
  });
}
