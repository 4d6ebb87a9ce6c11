import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';

export const projectsCommand = command({
  name: 'projects',
  summary: 'Lists the known projects. `muster run` adds one.',
  words: '',
  least: 0,
  most: 0,
  flags: {},
  onlyAsks: true,
  async run(context) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const listed = await ask(link.value, 'project.list', {});
    if (!listed.ok) return listed;
    context.out.document({ projects: listed.value }, () =>
      listed.value.length === 0
        ? ['No projects.']
        : columns(listed.value.map(({ id, name, path, trouble }) => [String(id), name, path, trouble ?? ''])),
    );
    return ok(EXIT.ok);
  },
});
