import type { AppError } from '@contract/errors';
import { call } from '@renderer/client/rpc';
import { useMemo, useRef, useState } from 'react';
import type { DiffScope } from '../../contract/diff-scope';
import type { DiffFile } from '../../contract/procedures';

/** Where the parts of a change can be read. */
export interface DiffSource {
  readonly runId: number;
  readonly of: DiffScope;
}

interface OpenedFiles {
  /** The files, with the hunks of those that were opened. */
  readonly files: readonly DiffFile[];
  /** Null if single files cannot be read. */
  readonly open: ((path: string) => Promise<AppError | null>) | null;
}

/** The same file with the same two sides. */
const nameOf = ({ path, content }: DiffFile): string => content ?? path;

/** Files whose diffs are too large for a list are read one by one, on demand. */
export function useOpenedFiles(files: readonly DiffFile[], source: DiffSource | null): OpenedFiles {
  const [opened, setOpened] = useState<ReadonlyMap<string, DiffFile>>(new Map());
  const reading = useRef(new Map<string, Promise<AppError | null>>());
  const shown = useMemo(
    () => files.map((file) => (file.leftOut === 'large' ? (opened.get(nameOf(file)) ?? file) : file)),
    [files, opened],
  );
  if (source === null) return { files: shown, open: null };
  const read = async (path: string): Promise<AppError | null> => {
    const read = await call('workspace.diff', { ...source, only: path });
    if (!read.ok) return read.error;
    const [file] = read.value.files;
    if (file !== undefined) setOpened((now) => new Map(now).set(nameOf(file), file));
    return null;
  };
  const open = (path: string): Promise<AppError | null> => {
    const known = reading.current.get(path);
    if (known !== undefined) return known;
    const begun = read(path).finally(() => reading.current.delete(path));
    reading.current.set(path, begun);
    return begun;
  };
  return { files: shown, open };
}
