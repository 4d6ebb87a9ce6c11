import { readFileSync } from 'node:fs';

/** The guards of programs started by this process, oldest first. Linux only. */
export function guards(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children
    .split(' ')
    .filter((pid) => pid !== '' && commandLine(pid).includes('muster-guard'))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
