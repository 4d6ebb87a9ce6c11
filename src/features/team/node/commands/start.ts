import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { projectFolder } from '@areas/projects/node/project-folder';
import type { ProcedureInput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { amount, numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { type Begun, beginIn, exitOfNone, tellProblems } from '@main/cli/running/begin-run';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import type { TeamTemplate } from '../../contract/procedures';
import type { TeamCall } from './flags';
import { BY } from './place';

/** Starts a team from `.muster/teams` by file or name. */
export async function start(context: Context, { words, flags }: TeamCall): Promise<Result<ExitCode>> {
  const which = words[1] ?? '';
  const file = resolve(context.cwd, which);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const inferred = projectFolder(isFile ? file : resolve(context.cwd, '.muster', 'teams'));
  const folder = flags.project === undefined ? inferred : resolve(context.cwd, flags.project);
  const budget = budgetOf(flags);
  if (!budget.ok) return budget;
  const wish = {
    uid: ulids.ulid(),
    folder,
    file: isFile ? file : null,
    which,
    name: flags.name,
    budget: budget.value,
  };
  const mode = flags.detach ? 'background' : 'working';
  const begun = await withCore(context, { mode }, (link) => begin(link, wish));
  if (!begun.ok) return begun;
  const { link, value } = begun.value;
  tellProblems(context, value);
  const { runId } = value;
  if (runId === null) return ok(exitOfNone(context));
  if (flags.detach || (link.kind === 'attached' && !flags.wait)) {
    context.out.document({ runId, hostedBy: link.pid }, () => [
      `Team ${runId} started in process ${link.pid}.`,
      `  ${context.again('team', 'members', String(runId))}`,
    ]);
    return ok(EXIT.ok);
  }
  return waitForRun(context, { link, runId, throughGates: flags.wait, afterSeq: 0 });
}

interface Wish {
  readonly uid: string;
  readonly folder: string;
  readonly file: string | null;
  readonly which: string;
  readonly name: string | undefined;
  readonly budget: Budget;
}

type Budget = ProcedureInput<'team.start'>['budget'];

function budgetOf(flags: TeamCall['flags']): Result<Budget> {
  const tokens = numberFlag('tokens', flags.tokens, wholeNumber());
  if (!tokens.ok) return tokens;
  const dollars = numberFlag('dollars', flags.dollars, amount);
  if (!dollars.ok) return dollars;
  if (tokens.value === undefined && dollars.value === undefined) return ok(undefined);
  return ok({
    ...(tokens.value === undefined ? {} : { tokens: tokens.value }),
    ...(dollars.value === undefined ? {} : { cost_usd: dollars.value }),
  });
}

const begin = (link: Link, wish: Wish): Promise<Result<Begun>> =>
  beginIn(link, wish.folder, (project) => beginThere(link, project, wish));

async function beginThere(
  link: Link,
  { id: projectId, path }: ProjectRow,
  { uid, file, which, name, budget }: Wish,
): Promise<Result<Begun>> {
  const listed = await ask(link, 'team.templates', { projectId });
  if (!listed.ok) return listed;
  const found = listed.value.find((one) =>
    file === null ? isCalled(one, which) : one.file === relative(path, file),
  );
  if (found === undefined) {
    const names = listed.value.map((one) => one.name).join(', ');
    return fail('not_found', `there is no team "${which}" in ${path}`, {
      mend: names === '' ? 'write it to .muster/teams/NAME.yaml' : `there are: ${names}`,
    });
  }
  const { config, problems } = found;
  const sound = config !== null && problems.every(({ severity }) => severity !== 'error');
  if (!sound) return ok({ runId: null, file: found.file, problems });
  const begun = { uid, projectId, name: name ?? found.name, config, budget, startedBy: BY };
  const started = await ask(link, 'team.start', begun);
  return started.ok ? ok({ runId: started.value.runId, file: found.file, problems }) : started;
}

const isCalled = ({ name, file }: TeamTemplate, which: string): boolean =>
  name.toLowerCase() === which.toLowerCase() ||
  file.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/i, '') === which;
