import type { RunRow } from '@contract/run/procedures';
import { plural } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { complain, offer, say } from '@renderer/client/toasts';
import { Button } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Ban, Play, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { actOnAll, allowed, type BulkAct, bulkWords } from './bulk-acts';

const send: Record<BulkAct, (runId: number) => ReturnType<typeof call<'run.bin'>>> = {
  bin: (runId) => call('run.bin', { runId }),
  restore: (runId) => call('run.restore', { runId }),
  cancel: (runId) => call('run.cancel', { runId }),
  resume: (runId) => call('run.resume', { runId }),
};

const icons = { bin: Trash2, restore: Undo2, cancel: Ban, resume: Play };
const ACTS: readonly BulkAct[] = ['resume', 'cancel', 'bin', 'restore'];
const MOST_NAMED = 5;

async function act(what: BulkAct, runs: readonly RunRow[]): Promise<void> {
  const { done, error } = await actOnAll(runs, send[what]);
  if (error !== null) complain(error);
  if (done.length === 0) return;
  const { done: text, undo } = bulkWords[what];
  const words = text(plural(done.length, 'run'));
  if (undo === undefined) say(words);
  else offer(words, { verb: 'Undo', run: () => void act(undo, done) });
}

/** The acts on the picked runs, each with the number of runs that it is possible for. */
export function BulkBar({ runs, onDone }: { readonly runs: readonly RunRow[]; readonly onDone: () => void }) {
  // Exactly the runs that the question counts, whatever happens to the list meanwhile.
  const [asking, setAsking] = useState<{ readonly what: BulkAct; readonly runs: readonly RunRow[] } | null>(
    null,
  );
  return (
    <footer className="pane-foot">
      <span className="grow quiet" role="status">
        {plural(runs.length, 'run')} selected
      </span>
      {ACTS.map((what) => {
        const possible = allowed(what, runs);
        const title = bulkWords[what].verb(plural(possible.length, 'run'));
        return (
          possible.length > 0 && (
            <Button
              key={what}
              icon={icons[what]}
              tip={title}
              aria-label={title}
              onClick={() => setAsking({ what, runs: possible })}
            >
              {possible.length}
            </Button>
          )
        );
      })}
      <Button tone="ghost" caps={['Esc']} onClick={onDone}>
        Clear
      </Button>
      {asking && (
        <Confirm
          title={`${bulkWords[asking.what].verb(plural(asking.runs.length, 'run'))}?`}
          verb={bulkWords[asking.what].verb(plural(asking.runs.length, 'run'))}
          onConfirm={() => {
            void act(asking.what, asking.runs);
            onDone();
          }}
          onClose={() => setAsking(null)}
        >
          <ul>
            {asking.runs.slice(0, MOST_NAMED).map((run) => (
              <li key={run.id}>
                #{run.id} {inPlainSight(run.name)}
              </li>
            ))}
            {asking.runs.length > MOST_NAMED && (
              <li>and {plural(asking.runs.length - MOST_NAMED, 'other')}</li>
            )}
          </ul>
          <p>{bulkWords[asking.what].says}</p>
        </Confirm>
      )}
    </footer>
  );
}
