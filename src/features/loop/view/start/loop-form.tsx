import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { permissionWords } from '@areas/permissions/view/parts/permission-words';
import { useDraft, useHandlers, useQuery, useStart } from '@renderer/client/hooks';
import { useCaps } from '@renderer/parts/controls/act';
import { useDebounced, useLast } from '@renderer/parts/controls/debounced-value';
import { firstUsable } from '@renderer/parts/controls/first-usable';
import { Button } from '@renderer/ui/controls/button';
import { Field, Select } from '@renderer/ui/controls/field';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { begin } from './begin';
import { blankLoop, type LoopDraft, missing, previewOf, readDraft, startOf } from './form';
import { Limits, Place, Retry } from './loop-fields';
import styles from './loop-form.module.css';
import { Preview } from './preview';

interface LoopFormProps {
  readonly projectId: number;
  readonly projectPath: string;
}

/** The form for a loop over this project's plan; drafts are kept. */
export function LoopForm({ projectId, projectPath }: LoopFormProps) {
  const { value: agents } = useQuery('agent.list', { projectId });
  const profiles = (agents ?? []).map(({ profile }) => profile);
  const projectProfile = agents?.find(({ source }) => source === 'project')?.profile;
  // The worker that keeps the loop's logs itself.
  const exec = profiles.find((one) => capabilitiesOf(one).keepsLoopLogs);
  const usual = exec ?? projectProfile ?? firstUsable(agents ?? [])?.profile;
  const [kept, keep] = useDraft(`loop/new/${projectId}`);
  const draft = readDraft(kept, blankLoop(usual?.id ?? ''));
  const worker = profiles.find(({ id }) => id === draft.worker);
  const permissionHint = worker === undefined ? null : permissionWords(worker);
  const set = (change: Partial<LoopDraft>) => keep(JSON.stringify({ ...draft, ...change }));
  const wanted = useDebounced(previewOf(projectId, draft));
  const { value: preview, error } = useQuery('loop.preview', agents === null ? null : wanted);
  const last = useLast(preview);
  const shown = error ? preview : last;
  const [starting, setStarting] = useState(false);
  const refused = shown?.problems.some(({ severity }) => severity === 'error') ?? false;
  const why = missing(draft) ?? (refused ? 'Correct the problems of the plan first.' : null);
  const startOnce = useStart(`${projectId} ${kept}`);
  const start = async () => {
    setStarting(true);
    const started = await startOnce((uid) => begin({ uid, ...startOf(projectId, draft) }));
    setStarting(false);
    if (started) keep('');
  };
  const ready = why === null && !starting && shown !== null;
  useHandlers({ 'loop.start': ready ? () => void start() : null });
  const caps = useCaps('loop.start');
  return (
    <form
      className="loop-form"
      aria-label="A new loop"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void start();
      }}
    >
      <Place draft={draft} branch={shown?.branch ?? ''} onChange={set} />
      <Preview preview={shown} error={error} projectPath={projectPath} />
      <Field
        label="Worker"
        hint={`Each attempt starts a new session of this agent. ${permissionHint ?? ''}`.trim()}
      >
        {(ids) => (
          <Select {...ids} value={draft.worker} onChange={(event) => set({ worker: event.target.value })}>
            {profiles.every(({ id }) => id !== draft.worker) && (
              <option value={draft.worker}>choose an agent</option>
            )}
            {profiles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Limits draft={draft} onChange={set}>
        <Retry draft={draft} agents={profiles} onChange={set} />
      </Limits>
      <footer className={styles.loopFormFoot}>
        <span className="grow note waits-text" role="status" id="loop-why">
          {why}
        </span>
        <Button
          tone="primary"
          type="submit"
          icon={Play}
          caps={caps}
          disabled={!ready}
          aria-describedby="loop-why"
        >
          Start the loop
        </Button>
      </footer>
    </form>
  );
}
