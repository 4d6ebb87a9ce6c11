import { call } from '@renderer/client/rpc';
import { attempt, offer } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { openInEditor } from '@renderer/parts/problems/error-note';

interface ProjectPrompt {
  readonly projectId: number;
  readonly id: string;
}

const changed = () => refresh('prompt.check', 'prompt.get');

/** Writes Muster's text into the project and opens it there. */
export async function override(prompt: ProjectPrompt): Promise<void> {
  const made = await attempt(call('prompt.override', prompt));
  if (made === null) return;
  await changed();
  openInEditor(made.absolutePath);
}

/** Removes the project's text; undo is offered. */
export async function removeOverride(prompt: ProjectPrompt): Promise<void> {
  const done = await attempt(call('prompt.removeOverride', prompt));
  if (done === null) return;
  const { backup } = done;
  await changed();
  const kept = backup.split(/[\\/]/).at(-1);
  offer(`Muster’s text is used again. Yours is kept as ${kept}`, {
    verb: 'Undo',
    run: () => void restore({ ...prompt, backup }),
  });
}

async function restore(kept: ProjectPrompt & { readonly backup: string }): Promise<void> {
  if ((await attempt(call('prompt.restoreOverride', kept), 'Your text is used again')) !== null)
    await changed();
}
