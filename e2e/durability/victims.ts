import { readdirSync, readFileSync } from 'node:fs';

/** What is killed beside the core, which continues. */
export type Part = 'terminal host' | 'guard' | 'agent' | 'git';

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly line: string;
}

function processes(): Seen[] {
  return readdirSync('/proc').flatMap((name): Seen[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return [];
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(parent), line }];
    } catch {
      return [];
    }
  });
}

/** The session of Muster that a process belongs to, `UID/sNUMBER`; null where it bears no such mark. */
export function sessionOf(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    const mark = environment.find((one) => one.startsWith('MUSTER_SESSION='));
    return mark?.slice('MUSTER_SESSION='.length) ?? null;
  } catch {
    return null;
  }
}

/** The processes of this kind that work for a core and its terminals now. */
export function victims(part: Part, { core, terminals }: { core: number; terminals: number }): number[] {
  const all = processes();
  const below = (pid: number): Seen[] => all.filter(({ parent }) => parent === pid);
  const guards = below(core).filter(({ line }) => line.includes('muster-guard'));
  switch (part) {
    case 'terminal host':
      return [terminals];
    case 'guard':
      return guards.map(({ pid }) => pid);
    case 'agent': {
      const scripted = guards
        .flatMap(({ pid }) => below(pid))
        .filter(({ line }) => line.includes('scripted-agent'));
      const typists = below(terminals).filter(({ line }) => line.includes('typist.sh'));
      return [...scripted, ...typists].map(({ pid }) => pid);
    }
    case 'git':
      return below(core)
        .filter(({ line }) => /^(\S*\/)?git /.test(line))
        .map(({ pid }) => pid);
  }
}
