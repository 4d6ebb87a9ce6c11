import { Bot, Compass, FolderGit2, GitFork, ListTree, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useQuery, useReadable } from '../../client/hooks';
import { runList } from '../../client/lists/lists';
import { hashOf, navigate } from '../../client/route';
import { registry } from '../../client/wire/window';
import { Marked } from '../../parts/marks/marks';
import { Ago } from '../../parts/text/ago';
import { runWordOf } from '../../parts/words/status-words';
import { closeFirst } from '../../ui/controls/dialog';
import { Keys } from '../../ui/controls/keys';
import { views } from '../../views/registry';
import { HERE, type PaletteEntry } from './entries';

/** All actions and addresses, those of the current view first. */
export function useEntries(onClose: () => void): PaletteEntry[] {
  const here = useActions(onClose);
  const things = useThings((hash) => {
    onClose();
    navigate(hash);
  });
  return [...here, ...things];
}

/** Read when the palette opens: from then on the palette has the focus. */
function useActions(onClose: () => void): readonly PaletteEntry[] {
  const [entries] = useState(() => {
    const available = registry.available();
    const here = available
      .filter(({ quiet }) => quiet !== true)
      .sort((a, b) => farness(a) - farness(b))
      .map(
        ({ id, title, group, words = '', run }): PaletteEntry => ({
          key: id,
          group: HERE,
          icon: Zap,
          title,
          others: `${group} ${words}`,
          end: <Keys caps={registry.capsOf(id)} />,
          run: () => {
            closeFirst(onClose);
            run();
          },
        }),
      );
    return [...here, ...elsewhere(new Set(available.map(({ id }) => id)), onClose)];
  });
  return entries;
}

const FAR = ['Projects', 'Everywhere', 'Lists'];

/** What only this place can do comes first, what has a key before what has none, and moving about in a list last. */
function farness({ id, group }: { readonly id: string; readonly group: string }): number {
  const far = FAR.indexOf(group);
  if (far >= 0) return far + 2;
  return registry.keysOf(id) === '' ? 1 : 0;
}

/** What other views can do. It is done there, with what it is done to in sight: the palette only goes there. */
function elsewhere(available: ReadonlySet<string>, onClose: () => void): PaletteEntry[] {
  return views.flatMap((view) =>
    Object.entries(view.actions)
      .filter(([id, spec]) => spec.quiet !== true && !available.has(id))
      .map(
        ([id, { title, words = '' }]): PaletteEntry => ({
          key: id,
          group: 'In other views',
          icon: Compass,
          title,
          others: `${view.title} ${words}`,
          end: (
            <>
              in {view.title} <Keys caps={registry.capsOf(id)} />
            </>
          ),
          run: () => {
            onClose();
            navigate(hashOf(view.paths[0] ?? ''));
          },
        }),
      ),
  );
}

function useThings(go: (hash: string) => void): PaletteEntry[] {
  const runs = useReadable(useMemo(() => runList({ binned: false }).view, [])).rows;
  const { value: workflows } = useQuery('workflow.list', {});
  const { value: projects } = useQuery('project.list', {});
  const { value: agents } = useQuery('agent.list', {});
  return [
    ...runs.map(
      (run): PaletteEntry => ({
        key: `run/${run.id}`,
        group: 'Runs',
        icon: ListTree,
        title: run.name,
        others: `run ${run.projectName} ${run.workflowName} ${run.instruction} ${run.agents} ${run.uid} ${run.id}`,
        mark: <Marked word={runWordOf(run)} markOnly />,
        end: <Ago at={run.startedAt} />,
        run: () => go(hashOf('run', run.uid)),
      }),
    ),
    ...(workflows ?? []).map(
      (row): PaletteEntry => ({
        key: `workflow/${row.projectId}/${row.file}`,
        group: 'Workflows',
        icon: GitFork,
        title: row.name,
        others: `workflow ${row.projectName} ${row.file}`,
        end: row.projectName,
        run: () => go(hashOf('workflow', row.projectId, row.file)),
      }),
    ),
    ...(projects ?? []).map(
      (row): PaletteEntry => ({
        key: `project/${row.id}`,
        group: 'Projects',
        icon: FolderGit2,
        title: row.name,
        others: `project ${row.path}`,
        end: row.path,
        run: () => go(hashOf('workflows', row.id)),
      }),
    ),
    ...(agents ?? []).map(
      ({ profile }): PaletteEntry => ({
        key: `agent/${profile.id}`,
        group: 'Agents',
        icon: Bot,
        title: profile.name,
        others: `agent profile ${profile.id}`,
        run: () => go(hashOf('agent', profile.id)),
      }),
    ),
    ...views.flatMap(({ title, icon, pages = [] }) =>
      pages.map(
        (page): PaletteEntry => ({
          key: page.path.join('/'),
          group: title,
          icon,
          title: page.title,
          others: title,
          run: () => go(hashOf(...page.path)),
        }),
      ),
    ),
  ];
}
