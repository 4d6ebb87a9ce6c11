import type { RunRow } from '@contract/run/procedures';
import { call } from '@renderer/client/rpc';
import { attempt, complain, offer } from '@renderer/client/toasts';
import { ActIcon } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { TextInput } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { useSessionState } from '@renderer/ui/use-session-state';
import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';

const readDraft = (kept: unknown): string | null => (typeof kept === 'string' ? kept : null);
const keptDraft = (draft: string | null): unknown => draft;

/** The name that is being written; null: none. It survives a reload. */
export function useNameDraft(row: RunRow) {
  const [draft, setDraft] = useSessionState(`run/${row.uid}/name`, readDraft, keptDraft);
  return { draft, setDraft, rename: () => setDraft((now) => now ?? row.name) };
}

interface RunNameProps extends Pick<ReturnType<typeof useNameDraft>, 'draft' | 'setDraft'> {
  readonly row: RunRow;
  /** Shows it without the means to change it. */
  readonly past: boolean;
}

/** The name of a run, or the field in which the operator writes another one. */
export function RunName({ row, past, draft, setDraft }: RunNameProps) {
  if (draft !== null && !past) return <NameForm row={row} draft={draft} setDraft={setDraft} />;
  return (
    <>
      <h1 className="cut reads" title={row.instruction || row.name}>
        {inPlainSight(row.name)}
      </h1>
      {!past && <ActIcon action="run.rename" icon={Pencil} label="Rename the run" />}
    </>
  );
}

interface NameFormProps {
  readonly row: RunRow;
  readonly draft: string;
  readonly setDraft: RunNameProps['setDraft'];
}

function NameForm({ row, draft, setDraft }: NameFormProps) {
  const [sending, setSending] = useState(false);
  const close = (): void => setDraft(null);
  const save = async (): Promise<void> => {
    if (sending) return;
    setSending(true);
    const saved = await saveName(row, draft);
    setSending(false);
    // What was typed during the call is kept.
    if (saved) setDraft((now) => (now === draft ? null : now));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    else close();
  };
  return (
    <>
      <TextInput
        aria-label="Name of the run"
        className="grow"
        value={draft}
        maxLength={200}
        placeholder="Named after its instruction"
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={press}
      />
      <Button tone="primary" caps={['Enter']} onClick={() => void save()}>
        Save name
      </Button>
      <Button caps={['Esc']} onClick={close}>
        Discard
      </Button>
    </>
  );
}

/** An empty name is the derived one. */
async function saveName({ id: runId, name: before }: RunRow, draft: string): Promise<boolean> {
  const wanted = draft.trim() || null;
  if (wanted === before) return true;
  const saved = await call('run.rename', { runId, name: wanted });
  if (!saved.ok) {
    complain(saved.error);
    return false;
  }
  const undo = () => void attempt(call('run.rename', { runId, name: before }));
  if (saved.value.name !== before) offer('Renamed the run', { verb: 'Undo', run: undo });
  return true;
}
