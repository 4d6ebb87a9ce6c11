import { ok } from '@contract/result';
import { ask } from '../../api/core-service';
import { command } from '../command';
import { EXIT } from '../exit';
import { columns } from '../output/columns';

export const agentsCommand = command({
  name: 'agents',
  summary: 'Lists agent profiles, and which known agents are installed.',
  words: '',
  least: 0,
  most: 0,
  flags: {},
  onlyAsks: true,
  async run(context) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const profiles = await ask(link.value, 'agent.list', {});
    if (!profiles.ok) return profiles;
    const detected = await ask(link.value, 'agent.detect', {});
    if (!detected.ok) return detected;
    const { out } = context;
    out.document({ profiles: profiles.value, detected: detected.value }, () => [
      out.style.bold('Profiles'),
      ...columns(
        profiles.value.map(({ profile, source, trouble }) => [
          profile.id,
          profile.kind,
          source,
          profile.name,
          trouble ?? '',
        ]),
        { indent: '  ', width: out.width },
      ),
      '',
      out.style.bold('On this machine'),
      ...columns(
        detected.value.map(({ id, found, version, path, install }) =>
          found ? [id, version ?? 'found', path ?? ''] : [id, 'not found', `install: ${install}`],
        ),
        { indent: '  ', width: out.width },
      ),
    ]);
    return ok(EXIT.ok);
  },
});

export const projectsCommand = command({
  name: 'projects',
  summary: 'Lists the projects that Muster knows. `muster run` adds one by itself.',
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
