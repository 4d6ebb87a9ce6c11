import { constants } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { ProjectRow } from '@areas/agents/contract/procedures';
import { folderInProject, written } from '@areas/projects/node/project-write';
import { fail, ok, type Result } from '@contract/result';

const FOLDER = join('.muster', 'attachments');
const MOST_NAMES = 100;

interface AttachmentParts {
  project(projectId: number): Pick<ProjectRow, 'path'> | null;
}

/** Copies files from elsewhere into a project, so that its workflows can attach them. */
export class Attachments {
  constructor(private readonly parts: AttachmentParts) {}

  /** Returns the copy's path in the project. Never overwrites a file. */
  async copyIn({ projectId, path }: { projectId: number; path: string }): Promise<Result<{ file: string }>> {
    const project = this.parts.project(projectId);
    if (project === null) return fail('not_found', `there is no project ${projectId}`);
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile() !== true) return fail('input.invalid', `${path} is not a file`);
    const folder = await folderInProject(project.path, FOLDER);
    if (!folder.ok) return folder;
    const extension = extname(path);
    const name = basename(path, extension);
    for (let count = 1; ; count += 1) {
      const fresh = `${name}${count === 1 ? '' : `-${count}`}${extension}`;
      const done = await written(join(FOLDER, fresh), {
        mend: 'rename the file',
        work: async () => {
          await mkdir(folder.value, { recursive: true });
          await copyFile(path, join(folder.value, fresh), constants.COPYFILE_EXCL);
        },
      });
      if (done.ok) return ok({ file: join(FOLDER, fresh).replaceAll('\\', '/') });
      if (done.error.code !== 'conflict' || count === MOST_NAMES) return done;
    }
  }
}
