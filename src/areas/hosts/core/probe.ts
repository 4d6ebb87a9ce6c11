import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { HostCheck } from '../contract/host';
import { firstWords, noise, QUIET_SHELL } from './foreign-text';

const BEGIN = 'MUSTER-PROBE-BEGIN';
const END = 'MUSTER-PROBE-END';

/** Muster's folder on a host, below the home folder. */
export const HOST_FOLDER = '.muster-host';

/** Less than this is left after the program and a small worktree. */
const LEAST_KIB = 64 * 1024;

/**
 * A script for the host's `sh` that prints what Muster must know. It changes nothing but its own folder, in which it
 * tries whether files can be written and started.
 */
export const probeScript = (version: string): string => `
echo ${BEGIN}
say() { printf '%s=%s\\n' "$1" "$(printf %s "$2" | tr '\\n' ' ')"; }
say system "$(uname -sm 2>&1)"
say home "$HOME"
say libc "$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | sed 1q)"
say git "$(git --version 2>/dev/null </dev/null)"
folder="$HOME/${HOST_FOLDER}"
made=$( (umask 077; mkdir -p "$folder" && chmod 700 "$folder") 2>&1 </dev/null) || say unwritable "$made"
try="$folder/.try.$$"
wrote=$( (umask 077; printf '#!/bin/sh\\necho started\\n' > "$try" && chmod 700 "$try") 2>&1) || say unwritable "$wrote"
say starts "$("$try" 2>&1 </dev/null)"
rm -f "$try"
say free "$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }')"
for node in "$(command -v node 2>/dev/null)" "$HOME"/.nvm/versions/node/*/bin/node "$HOME"/.volta/bin/node "$HOME"/.local/bin/node /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node; do
  [ -x "$node" ] && say node "$node $("$node" --version 2>/dev/null </dev/null)"
done
[ -x "$folder/${version}/muster-host" ] && say installed "$folder/${version}"
echo ${END}
`;

const nodeSchema = z.object({ path: z.string(), version: z.string() });

export interface Probe {
  readonly system: string;
  readonly home: string;
  readonly libc: string;
  readonly git: string;
  /** Why its folder cannot be written to; empty if it can. */
  readonly unwritable: string;
  /** Whether a program can be started from its folder. */
  readonly starts: boolean;
  readonly freeKib: number | null;
  readonly nodes: readonly z.infer<typeof nodeSchema>[];
  /** The folder of the wanted version, if it is there. */
  readonly installed: string | null;
}

/** Reads the script's output. What stands before it was printed by the login shell. */
export function readProbe(output: string): Result<Probe> {
  const begin = output.indexOf(`${BEGIN}\n`);
  const end = output.indexOf(END);
  if (begin > 0) return fail('host.unfit', noise(output.slice(0, begin)), { mend: QUIET_SHELL });
  if (begin < 0 || end < begin)
    return fail('host.unfit', `The host does not run the commands that it is given: ${answered(output)}`, {
      mend: 'Check ForceCommand in its sshd_config and "command=" in its authorized_keys.',
    });
  const values = new Map<string, string[]>();
  for (const line of output.slice(begin, end).split('\n').slice(1)) {
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) values.set(name, [...(values.get(name) ?? []), value.trim()]);
  }
  const one = (name: string): string => values.get(name)?.[0] ?? '';
  const nodes = (values.get('node') ?? []).flatMap((text) => {
    const [, path, version] = /^(.*) v(\d+\.\d+\.\d+)$/.exec(text) ?? [];
    return path === undefined || version === undefined ? [] : [{ path, version }];
  });
  const free = Number(one('free'));
  return ok({
    system: one('system'),
    home: one('home'),
    libc: one('libc'),
    git: one('git').replace(/^git version /, ''),
    unwritable: one('unwritable'),
    starts: one('starts') === 'started',
    freeKib: one('free') === '' || !Number.isFinite(free) ? null : free,
    nodes,
    installed: one('installed') || null,
  });
}

const answered = (output: string): string =>
  output.trim() === '' ? 'it answered nothing.' : `it answered "${firstWords(output)}".`;

/** The newest Node of a host, if it is new enough. */
export const usableNode = ({ nodes }: Probe, least: string) =>
  nodes
    .toSorted((a, b) => compareVersions(b.version, a.version))
    .find(({ version }) => compareVersions(version, least) >= 0) ?? null;

export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => version.split('.').map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (const [at, part] of left.entries()) {
    const other = right[at] ?? 0;
    if (part !== other) return part - other;
  }
  return 0;
}

/** What Muster needs on a host, each with its problem. */
export function checksOf(name: string, probe: Probe, leastNode: string): HostCheck[] {
  const check = (title: string, found: string, problem: AppError | null): HostCheck => ({
    title,
    found,
    problem,
  });
  const node = usableNode(probe, leastNode);
  const newest = probe.nodes.map(({ version }) => version).join(', ');
  return [
    check('System', probe.system, systemProblem(name, probe)),
    check('Home folder', probe.home, homeProblem(name, probe)),
    check(
      'Disk',
      probe.freeKib === null ? 'unknown' : `${Math.round(probe.freeKib / 1024)} MB free`,
      diskProblem(name, probe),
    ),
    check(
      'Node',
      node === null ? newest : `${node.version} (${node.path})`,
      nodeProblem(name, probe, leastNode),
    ),
    check('git', probe.git, gitProblem(name, probe)),
  ];
}

/** The first problem, or null. */
export const unfit = (checks: readonly HostCheck[]): Result<void> => {
  const problem = checks.find((one) => one.problem !== null)?.problem ?? null;
  return problem === null ? ok(undefined) : err(problem);
};

function systemProblem(name: string, { system, libc }: Probe): AppError | null {
  if (!/^(Linux|Darwin) (x86_64|aarch64|arm64)$/.test(system))
    return appError(
      'host.unfit',
      `${name} runs "${firstWords(system)}"; Muster works on Linux and macOS, on 64-bit Intel and ARM.`,
      {
        mend: 'Choose another host.',
      },
    );
  if (/musl/.test(libc))
    return appError('host.unfit', `${name} uses musl in place of glibc, for which Muster has no terminals.`, {
      mend: 'Choose a host with glibc, such as Debian, Ubuntu or Fedora.',
    });
  return null;
}

function homeProblem(name: string, { home, unwritable, starts }: Probe): AppError | null {
  if (!/^\/[^\n'"$`\\]*$/.test(home))
    return appError(
      'host.unfit',
      `The home folder on ${name} has a path that Muster cannot use: "${firstWords(home)}".`,
      {
        mend: 'Use an account whose home folder has no quotes or $ in its path.',
      },
    );
  if (/No space left|quota/i.test(unwritable)) return fullDisk(name);
  if (unwritable !== '')
    return appError(
      'host.unfit',
      `The home folder on ${name} cannot be written to: ${firstWords(unwritable)}`,
      {
        mend: `Make ${home} writable for this account.`,
      },
    );
  if (!starts)
    return appError(
      'host.unfit',
      `${name} starts no programs from ${home}; it is probably mounted with noexec.`,
      {
        mend: 'Mount it without noexec, or use another account.',
      },
    );
  return null;
}

const fullDisk = (name: string): AppError =>
  appError('host.unfit', `The disk of ${name} is full.`, { mend: 'Free some space there.' });

const diskProblem = (name: string, { freeKib }: Probe): AppError | null =>
  freeKib !== null && freeKib < LEAST_KIB ? fullDisk(name) : null;

function nodeProblem(name: string, probe: Probe, least: string): AppError | null {
  if (usableNode(probe, least) !== null) return null;
  const has = probe.nodes.map(({ version }) => version).join(', ');
  const what = has === '' ? `${name} has no Node` : `${name} has only Node ${has}`;
  return appError('host.unfit', `${what}; Muster needs ${least} or newer there.`, {
    mend: 'Install it there, for example with your package manager or nvm.',
  });
}

const gitProblem = (name: string, { git }: Probe): AppError | null =>
  git === '' ? appError('host.unfit', `${name} has no git.`, { mend: 'Install git there.' }) : null;
