import type { LargeText } from '@contract/whole-text';
import { bytes } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';

interface WholeTextProps {
  /** Null: its run is not known here. */
  readonly runId: number | null;
  readonly of: LargeText;
}

/** Below the beginning and the end of a large text: its size, and the way to all of it. */
export function WholeText({ runId, of: { sha256, bytes: size } }: WholeTextProps) {
  const open = async (id: number) => {
    const found = await call('run.text', { runId: id, sha256, chars: 1024 });
    return found.ok ? call('app.openInEditor', { path: found.value.path }) : found;
  };
  return (
    <p className="note quiet">
      Shown in part, {bytes(size)} in all.{' '}
      {runId !== null && (
        <button type="button" className="text-button" onClick={() => void attempt(open(runId))}>
          Show all of it
        </button>
      )}
    </p>
  );
}
