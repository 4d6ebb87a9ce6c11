import { readFileSync } from 'node:fs';
import type { Confinement } from '@contract/sandbox/protocol';

/** From the process's own status: seccomp filters are on, and it cannot gain privileges. */
export function confinementOf(pid: number, noSandbox: boolean): Confinement {
  if (noSandbox) return { osSandbox: false, detail: 'started with --no-sandbox' };
  if (process.platform !== 'linux') return { osSandbox: true, detail: `sandbox of ${process.platform}` };
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const seccomp = fieldOf(status, 'Seccomp');
    const privileges = fieldOf(status, 'NoNewPrivs');
    return {
      osSandbox: seccomp === '2' && privileges === '1',
      detail: `seccomp ${seccomp ?? 'unknown'}, no new privileges ${privileges ?? 'unknown'}`,
    };
  } catch (cause) {
    return { osSandbox: false, detail: `its status cannot be read: ${String(cause)}` };
  }
}

const fieldOf = (status: string, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1];
