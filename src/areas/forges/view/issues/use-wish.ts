import type { AppError } from '@contract/errors';
import type { ProcedureOutput } from '@contract/ipc';
import { useDraft, useQuery, useStart } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { refresh } from '@renderer/client/wire/query';
import { useDebounced } from '@renderer/parts/controls/debounced-value';
import { firstUsable } from '@renderer/parts/controls/first-usable';
import { useState } from 'react';
import { branchNameSchema } from '../../contract/forge';

export type ShownIssue = ProcedureOutput<'issue.get'>;

export const MOST_NOTE = 20_000;

/** The fields of the form, saved until the work is started; the agent of the last work is the default. */
function useFields(projectId: number, number: number) {
  const place = `issue/${projectId}/${number}`;
  const [note, setNote] = useDraft(`${place}/note`);
  const [branch, setBranch] = useDraft(`${place}/branch`);
  const [chosen, setAgent] = useDraft('new-work/agent');
  const { value: agents, error: noAgents } = useQuery('agent.list', { projectId });
  const agent = agents?.find(({ profile }) => profile.id === chosen) ?? firstUsable(agents ?? []);
  const isBranch = branch.trim() === '' || branchNameSchema.safeParse(branch.trim()).success;
  return { note, setNote, branch, setBranch, isBranch, agents, agent, setAgent, noAgents };
}

/** Work on an issue that is about to be started: its fields, its prompt while it is shown, and the start. */
export function useWish(projectId: number, issue: ShownIssue) {
  const { number } = issue;
  const fields = useFields(projectId, number);
  const { note, branch, agent } = fields;
  const [isPreviewed, setPreviewed] = useState(false);
  const [starting, setStarting] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const asked = useDebounced({ projectId, number, note });
  const preview = useQuery('issue.preview', isPreviewed ? asked : null);
  const input = {
    ...{ projectId, number, note, agent: agent?.profile.id ?? '' },
    // What is on the page: a start is refused if the issue has other words by then.
    shown: preview.value?.shown ?? issue.shown,
    ...(branch.trim() === '' ? {} : { branch: branch.trim() }),
  };
  const begin = useStart(JSON.stringify(input));
  const can = agent !== undefined && fields.isBranch && note.length <= MOST_NOTE && !starting;
  const start = async () => {
    if (!can) return;
    setStarting(true);
    setError(null);
    const started = await begin(async (uid) => {
      const answer = await call('issue.start', { uid, ...input });
      if (answer.ok) return answer.value;
      setError(answer.error);
      return null;
    });
    setStarting(false);
    if (started === null) return refresh('issue.get', 'issue.preview');
    fields.setNote('');
    fields.setBranch('');
    navigate(hashOf('run', started.runId));
  };
  return { ...fields, isPreviewed, setPreviewed, preview, starting, error, can, start };
}

export type Wish = ReturnType<typeof useWish>;
