import type { ProjectRow } from '@areas/agents/contract/procedures';
import { Saved, SavedLines } from '@areas/settings/view/parts/saved';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Check, Field, Select } from '@renderer/ui/controls/field';
import { Note } from '@renderer/ui/layout/note';
import { useState } from 'react';
import { PROJECT_SETTINGS_FILE, type SettingsChange } from '../../contract/project-settings';
import { useProject } from './use-project';

/** What holds for every run of a project. */
export function ProjectSettings() {
  const [chosen, setChosen] = useState<number | null>(null);
  const { projects, project } = useProject(chosen);
  if (projects === null) return null;
  if (project === undefined) return <Note>There is no project yet.</Note>;
  return (
    <div className="fields">
      <Field
        label="Project"
        hint={`These hold for every run of the project: workflows, new work, teams and loops. They are in ${PROJECT_SETTINGS_FILE}.`}
      >
        {(ids) => (
          <Select {...ids} value={project.id} onChange={(event) => setChosen(Number(event.target.value))}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SettingsOf key={project.id} project={project} />
    </div>
  );
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function SettingsOf({ project }: { readonly project: ProjectRow }) {
  const { value, error } = useQuery('project.settings', { path: project.path });
  const save = async (change: SettingsChange): Promise<boolean> => {
    const done = await attempt(call('project.changeSettings', { projectId: project.id, change }));
    await refresh('project.settings');
    return done !== null;
  };
  const text = (line: string): string | null => line.trim() || null;
  if (error !== null) return <ErrorNote error={error} />;
  if (value === null) return null;
  const { settings, worktree, problems } = value;
  const [problem] = problems;
  // With such a file no run starts, and nothing can be changed in it from here.
  if (problem !== undefined) return <ErrorNote error={problem} />;
  const signs = settings?.sign !== 'never';
  const hooks = settings?.hooks !== 'never';
  return (
    <>
      <Field
        label="Files to copy"
        hint="Ignored files that a new worktree gets too, one pattern on a line. Those that .worktreeinclude names are copied in any case."
      >
        {(ids) => (
          <SavedLines
            {...ids}
            className="mono"
            value={worktree.copy.join('\n')}
            onSave={(lines) => save({ copy: linesOf(lines) })}
          />
        )}
      </Field>
      <Field label="Setup" hint="A command that runs first in each new worktree, for example npm ci.">
        {(ids) => (
          <Saved
            {...ids}
            className="mono"
            value={worktree.setup ?? ''}
            onSave={(line) => save({ setup: text(line) })}
          />
        )}
      </Field>
      <Field label="Teardown" hint="A command that runs before a worktree is removed.">
        {(ids) => (
          <Saved
            {...ids}
            className="mono"
            value={worktree.teardown ?? ''}
            onSave={(line) => save({ teardown: text(line) })}
          />
        )}
      </Field>
      <Field label="Submodules" hint="No network is used. What the project has not initialised stays empty.">
        {(ids) => (
          <Check
            {...ids}
            checked={worktree.submodules}
            onChange={(event) => void save({ submodules: event.target.checked })}
          >
            Fill submodules of a worktree with the files that the project has
          </Check>
        )}
      </Field>
      <Field label="Signatures" hint="Muster’s own snapshots are never signed.">
        {(ids) => (
          <Check
            {...ids}
            checked={signs}
            onChange={(event) => void save({ sign: event.target.checked ? 'as-configured' : 'never' })}
          >
            Sign commits of an apply or a merge if git is configured so
          </Check>
        )}
      </Field>
      <Field label="Hooks" hint="Muster’s own git never runs hooks.">
        {(ids) => (
          <Check
            {...ids}
            checked={hooks}
            onChange={(event) => void save({ hooks: event.target.checked ? 'as-configured' : 'never' })}
          >
            Run hooks of the repository when agents and commands use git in a worktree
          </Check>
        )}
      </Field>
    </>
  );
}
