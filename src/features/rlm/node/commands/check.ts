import { sep } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Sandbox } from '@main/core/ports/programs/sandbox';

/** Reports whether model-written code can run here, and what confines it. */
export async function checkSandbox({ out }: Context, allowWeak: boolean): Promise<Result<ExitCode>> {
  const checked = await check(allowWeak);
  if (!checked.ok) return checked;
  const { python, confinement } = checked.value;
  out.document({ python, ...confinement }, () => [
    `Python ${python} runs in the sandbox.`,
    confinement.osSandbox
      ? `The operating system confines it (${confinement.detail}).`
      : `Only the browser’s sandbox confines it (${confinement.detail}).`,
  ]);
  return ok(EXIT.ok);
}

interface Checked {
  readonly python: string;
  readonly confinement: Sandbox['confinement'];
}

async function check(allowWeak: boolean): Promise<Result<Checked>> {
  // Loaded only here: no other command needs it.
  const [{ HostProcess }, { hostProgram }] = await Promise.all([
    import('@main/adapters/sandbox/host-process'),
    import('@main/adapters/sandbox/electron'),
  ]);
  const processDir = outMain(import.meta.dirname);
  const sandboxes = new HostProcess({
    electron: hostProgram(processDir, process.execPath),
    isRoot: process.getuid?.() === 0,
    spareMs: 0,
  });
  try {
    const limits = { outputChars: 1_000, subcallChars: 1_000, batchSize: 1, memoryMb: 1_000, allowWeak };
    const started = await sandboxes.start(limits);
    if (!started.ok) return started;
    const ran = await started.value.exec('import sys\nprint(sys.version.split()[0])', {
      seconds: 30,
      ask: async () => [],
    });
    if (ran.kind === 'lost' || ran.result.error !== null)
      return fail('unavailable', 'Python started in the sandbox but ran no code.');
    return ok({ python: ran.result.stdout.trim(), confinement: started.value.confinement });
  } finally {
    await sandboxes.stop();
  }
}

/** The build puts this file into out/main/startup, or into its folder of chunks. */
const outMain = (folder: string): string => folder.slice(0, folder.lastIndexOf(`${sep}startup`));
