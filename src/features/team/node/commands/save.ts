import { ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { templateOf } from '../../contract/template';
import type { TeamCall } from './flags';
import { teamAt } from './place';

/** Saves a run's team as a file of its project. */
export async function save(context: Context, { words }: TeamCall): Promise<Result<ExitCode>> {
  const [, address = '', name = ''] = words;
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await teamAt(link.value, address);
  if (!found.ok) return found;
  const { state, team } = found.value;
  const config = templateOf(state, team);
  const saved = await ask(link.value, 'team.saveTemplate', { projectId: state.projectId, name, config });
  if (!saved.ok) return saved;
  const { file } = saved.value;
  context.out.document({ file }, () => [
    `Saved as ${file} of the project.`,
    `  ${context.again('team', 'start', name)}`,
  ]);
  return ok(EXIT.ok);
}
