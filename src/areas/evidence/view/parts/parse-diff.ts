import type { DiffFile, DiffHunk } from '@areas/changes/contract/procedures';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Open {
  path: string;
  oldPath: string | null;
  status: DiffFile['status'];
  binary: boolean;
  hunks: { head: Omit<DiffHunk, 'lines' | 'id'>; lines: string[] }[];
}

/**
 * The files of a git diff. Null if the text is no diff, so that it is shown unchanged: a truncated diff is
 * parsed up to its end.
 */
export function parseDiff(text: string): DiffFile[] | null {
  const files: Open[] = [];
  let left = { old: 0, fresh: 0 };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (hunk !== undefined && (left.old > 0 || left.fresh > 0 || line.startsWith('\\'))) {
      const sign = line[0] ?? ' ';
      hunk.lines.push(line === '' ? ' ' : line);
      if (sign !== '+' && sign !== '\\') left = { ...left, old: left.old - 1 };
      if (sign !== '-' && sign !== '\\') left = { ...left, fresh: left.fresh - 1 };
      continue;
    }
    const head = HUNK.exec(line);
    if (head !== null && file !== undefined) {
      const [oldStart, oldLines, newStart, newLines] = [head[1], head[2] ?? '1', head[3], head[4] ?? '1'].map(
        Number,
      ) as [number, number, number, number];
      file.hunks.push({ head: { oldStart, oldLines, newStart, newLines }, lines: [] });
      left = { old: oldLines, fresh: newLines };
      continue;
    }
    if (line.startsWith('diff --git ')) files.push(opened(line));
    else if (line.startsWith('--- ') && file?.hunks.length !== 0) files.push(opened(''));
    const current = files.at(-1);
    if (current !== undefined) readHeader(current, line);
  }
  const read = files.filter(({ path }) => path !== '').map(shown);
  return read.length === 0 ? null : read;
}

function opened(line: string): Open {
  const path = /^diff --git a\/.* b\/(.*)$/.exec(line)?.[1] ?? '';
  return { path, oldPath: null, status: 'modified', binary: false, hunks: [] };
}

/** `a/src/x.ts`, `"b/with \"quotes\""`, or `/dev/null`. */
function nameIn(text: string): string | null {
  const bare = text.replace(/\t.*$/, '').replace(/^"(.*)"$/, '$1');
  return bare === '/dev/null' ? null : bare.replace(/^[ab]\//, '');
}

function readHeader(file: Open, line: string): void {
  if (line.startsWith('new file mode')) file.status = 'added';
  else if (line.startsWith('deleted file mode')) file.status = 'deleted';
  else if (line.startsWith('rename from ')) {
    file.status = 'renamed';
    file.oldPath = line.slice('rename from '.length);
  } else if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
  else if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.binary = true;
  else if (line.startsWith('--- ')) {
    const name = nameIn(line.slice(4));
    if (name === null) file.status = 'added';
    else if (file.path === '') file.path = name;
  } else if (line.startsWith('+++ ')) {
    const name = nameIn(line.slice(4));
    if (name === null) file.status = 'deleted';
    else file.path = name;
  }
}

function shown({ hunks, binary, ...file }: Open): DiffFile {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return {
    ...file,
    added: binary ? null : count('+'),
    removed: binary ? null : count('-'),
    leftOut: binary ? 'binary' : null,
    hunks: hunks.map(({ head, lines }, index) => ({ ...head, lines, id: String(index) })),
  };
}
