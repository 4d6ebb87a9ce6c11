import { app, dialog } from 'electron';
import { z } from 'zod';
import { programOf } from './launch';

const answerSchema = z.enum(['safe', 'usual']);

/** The operator decides: Muster may also have been killed three times. `answer`: a test's, in their place. */
export async function offerSafeMode(answer: string | undefined): Promise<boolean> {
  const given = answerSchema.safeParse(answer);
  if (given.success) return given.data === 'safe';
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: 'Muster ended three times while it started.',
    detail:
      'In safe mode no run continues and nothing is delivered. You can read, export and back up your history. ' +
      'Your runs are safe on disk.',
    buttons: ['Start in safe mode', 'Start as usual'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Starts Muster again at its end, without the flag. */
export function startAsUsual(): void {
  const args = process.argv.slice(1).filter((argument) => argument !== '--safe-mode');
  app.relaunch({ args, execPath: programOf(process.execPath, process.env) });
}
