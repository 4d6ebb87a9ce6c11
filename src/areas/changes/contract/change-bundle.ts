import { isMap, type JsonMap } from '@areas/workflows/contract/change';
import type {
  ContextBundle,
  LargeBundle,
  StoredBundle,
  WholeBundle,
} from '@areas/workflows/contract/definition';
import type { Json } from '@contract/ids';
import { type LargeText, largeTextSchema } from '@contract/whole-text';
import { type FileChange, markedDiff, type TakenDiff } from './changes';

/** A recorded change: what ports hold, and what gates show. */
export interface RecordedChange {
  readonly captureId: number;
  readonly diff: TakenDiff | null;
  readonly files: readonly FileChange[];
}

/** The fields by which a bundle, or one agent's entry in it, refers to its change. */
interface ChangeReference {
  readonly capture_id: number;
  readonly files_changed: number;
  readonly lines_added: number;
  readonly lines_removed: number;
}

const sum = (files: readonly FileChange[], of: 'added' | 'removed'): number =>
  files.reduce((all, file) => all + (file[of] ?? 0), 0);

export const changeReference = ({ captureId, files }: RecordedChange): JsonMap => ({
  capture_id: captureId,
  files_changed: files.length,
  lines_added: sum(files, 'added'),
  lines_removed: sum(files, 'removed'),
});

/** A diff without a file of its own has a mark where it lacks files. */
const shortDiff = ({ diff }: RecordedChange): string => (diff === null ? '' : markedDiff(diff));

/** The diff of one of several agents, in a list of them: of a large one its file, for `withWholeDiffs`. */
export const diffOfAgent = (change: RecordedChange): string | LargeText =>
  change.diff?.whole ?? shortDiff(change);

/** The content for a reader: a list of agents' diffs with the whole text of each. */
export function withWholeDiffs(content: Json, read: (text: LargeText) => string): Json {
  if (!Array.isArray(content) || !content.some((entry) => largeDiff(entry) !== null)) return content;
  return content.map((entry) => {
    const large = largeDiff(entry);
    return large === null || !isMap(entry) ? entry : { ...entry, diff: read(large) };
  });
}

/** The large diff of an agent's entry; null if it has none. */
export function largeDiff(entry: Json): LargeText | null {
  if (!isMap(entry) || !isMap(entry.diff)) return null;
  return largeTextSchema.safeParse(entry.diff).data ?? null;
}

/** The diff as a bundle holds it: a large one whole, in a file. */
export const diffForm = (
  change: RecordedChange,
): Pick<WholeBundle, 'content'> | Pick<LargeBundle, 'large' | 'form'> =>
  change.diff?.whole === undefined
    ? { content: shortDiff(change) }
    : { large: change.diff.whole, form: 'text' };

export const filesContent = ({ files }: RecordedChange): Json[] =>
  files.map(({ path, oldPath, status, added, removed }) => ({
    path,
    old_path: oldPath,
    status,
    added,
    removed,
  }));

/** The reference in a bundle's metadata or in an agent's entry; null if there is none. */
export function referenceIn(fields: JsonMap | ContextBundle['metadata']): ChangeReference | null {
  const { capture_id, files_changed, lines_added, lines_removed } = fields;
  if (typeof capture_id !== 'number') return null;
  return {
    capture_id,
    files_changed: Number(files_changed ?? 0),
    lines_added: Number(lines_added ?? 0),
    lines_removed: Number(lines_removed ?? 0),
  };
}

/** The outputs with this change in the place of its earlier state; null if none of them holds it. */
export function revisedOutputs(
  outputs: Readonly<Record<string, StoredBundle>>,
  change: RecordedChange,
): Record<string, StoredBundle> | null {
  let found = false;
  const revised = Object.entries(outputs).map(([port, bundle]): [string, StoredBundle] => {
    const now = revisedBundle(bundle, change);
    found ||= now !== bundle;
    return [port, now];
  });
  return found ? Object.fromEntries(revised) : null;
}

/** Lists of changes are never put into files, where a change in them could not be found and revised. */
function revisedBundle(bundle: StoredBundle, change: RecordedChange): StoredBundle {
  const { content, metadata, kind, source_session_key } = bundle;
  if (kind !== 'diff' && kind !== 'files') return bundle;
  if (referenceIn(metadata)?.capture_id === change.captureId) {
    const now = kind === 'diff' ? diffForm(change) : { content: filesContent(change) };
    return { ...now, source_session_key, metadata: { ...metadata, ...changeReference(change) }, kind };
  }
  if (!Array.isArray(content) || !content.some((entry) => isOf(entry, change))) return bundle;
  return {
    ...bundle,
    content: content.map((entry) => {
      if (!isMap(entry) || !isOf(entry, change)) return entry;
      const now: JsonMap = kind === 'diff' ? { diff: diffOfAgent(change) } : { files: filesContent(change) };
      return { ...entry, ...now, ...changeReference(change) };
    }),
  };
}

const isOf = (entry: Json, { captureId }: RecordedChange): boolean =>
  isMap(entry) && referenceIn(entry)?.capture_id === captureId;
