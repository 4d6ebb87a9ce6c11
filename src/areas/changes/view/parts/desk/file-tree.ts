import type { DiffFile } from '../../../contract/procedures';

/** A visible row of the tree of changed files: a folder, or a file. */
export interface FileTreeRow {
  readonly key: string;
  readonly height: number;
  readonly level: number;
  readonly open: boolean | null;
  /** Of a folder: also of the folders in it that hold nothing else, as `src/areas`. */
  readonly name: string;
  readonly path: string;
  readonly file: DiffFile | null;
  /** The files in a folder; of a file itself. */
  readonly files: readonly DiffFile[];
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: DiffFile[];
}

const HEIGHT = 26;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files whose path contains all words of a filter, in any order, ignoring case. */
export function filterFiles(files: readonly DiffFile[], filter: string): readonly DiffFile[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return files;
  return files.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
}

/** The tree of files by folder; folders with a single folder in them are one row. */
export function fileTree(files: readonly DiffFile[], closed: ReadonlySet<string>): FileTreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split('/').slice(0, -1);
    let at = root;
    for (const name of names) {
      const next = at.folders.get(name) ?? { folders: new Map(), files: [] };
      at.folders.set(name, next);
      at = next;
    }
    at.files.push(file);
  }
  return rowsOf(root, { path: '', level: 1, closed });
}

interface Place {
  readonly path: string;
  readonly level: number;
  readonly closed: ReadonlySet<string>;
}

function rowsOf(folder: Folder, { path, level, closed }: Place): FileTreeRow[] {
  const folders = [...folder.folders].flatMap(([first, inside]): FileTreeRow[] => {
    let [name, at] = [first, inside];
    for (let only = onlyFolder(at); only !== null; only = onlyFolder(at)) {
      name = `${name}/${only[0]}`;
      at = only[1];
    }
    const key = `${path}${name}/`;
    const open = !closed.has(key);
    const row = { key, height: HEIGHT, level, open, name, path: key, file: null, files: filesIn(at) };
    return [row, ...(open ? rowsOf(at, { path: key, level: level + 1, closed }) : [])];
  });
  const files = folder.files.map((file): FileTreeRow => {
    const name = nameOf(file.path);
    return { key: file.path, height: HEIGHT, level, open: null, name, path: file.path, file, files: [file] };
  });
  return [...folders, ...files];
}

function onlyFolder({ folders, files }: Folder): readonly [string, Folder] | null {
  const [first] = folders;
  return files.length === 0 && folders.size === 1 && first !== undefined ? first : null;
}

const filesIn = ({ folders, files }: Folder): DiffFile[] => [
  ...[...folders.values()].flatMap(filesIn),
  ...files,
];

/** The files in the order of their tree, so that the lines follow it. */
export function inTreeOrder(files: readonly DiffFile[]): readonly DiffFile[] {
  return fileTree(files, new Set()).flatMap(({ file }) => file ?? []);
}
