import type { Clock } from '@main/core/ports/ports';
import type { Processes } from '@main/core/ports/programs/process';
import { VERSION_MS } from '@main/limits/core';
import { within } from './agent-deadline';

const MOST_TEXT = 4000;

interface AskedParts {
  readonly processes: Pick<Processes, 'launch'>;
  readonly clock: Clock;
  readonly tempDir: string;
}

/** What a program printed and its exit code; null if it did not start, or did not end in time. */
export async function askProgram(
  { processes, clock, tempDir }: AskedParts,
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string } | null> {
  let text = '';
  const decoder = new TextDecoder();
  const started = await processes.launch({
    command,
    args,
    cwd: tempDir,
    env: {},
    owner: 'agent-finder',
    stdin: 'none',
    output: {
      kind: 'merged',
      chunk: (bytes) => {
        if (text.length < MOST_TEXT) text += decoder.decode(bytes, { stream: true });
      },
    },
  });
  if (!started.ok) return null;
  const exit = await within(clock, VERSION_MS, started.value.exited);
  await started.value.end();
  return exit === 'late' ? null : { code: exit.code, text };
}
