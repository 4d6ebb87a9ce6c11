import { join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { fail, ok, type Result } from '@contract/result';
import type { RunEvent, RunEventOf } from '@contract/run/events';
import { largeTextsIn } from '@contract/whole-text';
import type { Engine } from '@main/core/engine/engine';
import type { Ids } from '@main/core/ports/documents';
import type { Store } from '@main/core/ports/store/store';
import type { RunTextFiles } from '@main/core/ports/whole-texts';
import { dropRunFolder, freezeFiles } from '../run-files';
import { freezeStart, type StartOf, type StartParts } from './start-event';

export interface LaunchParts extends StartParts {
  readonly engine: Pick<Engine, 'start'>;
  readonly ids: Ids;
  readonly store: Pick<Store, 'hosts'>;
  /** The parent of the runs' artifacts folders. */
  readonly artifactsRoot: string;
  readonly textFiles: Pick<RunTextFiles, 'share'>;
}

interface Launch extends StartOf {
  readonly uid: string | undefined;
  readonly project: ProjectRow;
  readonly attachments: readonly string[];
  readonly startedBy: string;
  /** Set for a run that adopts results from another one. */
  readonly again?: RunEventOf<'run.started'>['again'];
  readonly adopted?: readonly RunEvent[];
  /** The folder with the large texts of these results. */
  readonly textsFrom?: string;
}

/** Freezes what the run needs from its environment. Writes nothing before everything is known to exist. */
export async function launchRun(parts: LaunchParts, of: Launch): Promise<Result<{ runId: number }>> {
  const { host } = of.plan.definition;
  if (host !== undefined && !parts.store.hosts().some(({ name }) => name === host))
    return fail('not_found', `There is no host "${host}".`, {
      where: { path: 'host' },
      mend: `See: muster hosts list, and muster hosts add ${host}`,
    });
  const start = await freezeStart(parts, of);
  if (!start.ok) return start;
  const uid = of.uid ?? parts.ids.ulid();
  const artifactsDir = join(parts.artifactsRoot, uid);
  const { plan, project, attachments, startedBy } = of;
  const frozen = await freezeFiles(plan, { attachments, projectPath: project.path, artifactsDir });
  if (!frozen.ok) return frozen;
  const event: RunEventOf<'run.started'> = {
    ...start.value,
    uid,
    attachments: frozen.value.attachments,
    files: frozen.value.files,
    artifactsDir,
    startedBy,
    ...(of.again === undefined ? {} : { again: of.again }),
  };
  const { adopted = [], textsFrom } = of;
  const texts = largeTextsIn(adopted);
  const shared =
    texts.size === 0 || textsFrom === undefined
      ? ok(undefined)
      : await parts.textFiles.share(texts.values(), textsFrom, artifactsDir);
  const started = shared.ok ? await parts.engine.start(event, adopted) : shared;
  if (started.ok) return ok({ runId: started.value });
  await dropRunFolder(artifactsDir);
  return started;
}
