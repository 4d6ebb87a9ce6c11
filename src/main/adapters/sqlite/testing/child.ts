import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A bundled program as a separate process. */
export function startChild(file: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the child said nothing');
}

export const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
