import type { RunState } from '@contract/run/state';
import { DiffView } from '@renderer/ui/code/diff';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { useState } from 'react';
import { useDifference } from './frozen-definition';

/** A link to the changes of the workflow file since the run began; nothing if there are none. */
export function Difference({ state }: { readonly state: RunState }) {
  const difference = useDifference(state);
  const [open, setOpen] = useState(false);
  if (difference === null) return null;
  const { file, frozen, today } = difference;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        The file has changed since
      </button>
      {open && (
        <Question
          title="The workflow of the run and the current file"
          onClose={close}
          footer={<Button onClick={close}>Close</Button>}
        >
          <p className="quiet">
            The run keeps the workflow it started with. Comments and layout of the file are not compared.
          </p>
          <DiffView path={file} oldText={frozen} newText={today} />
        </Question>
      )}
    </>
  );
}
