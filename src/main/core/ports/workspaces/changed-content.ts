import type { ChangeMatch, FileSide } from '@areas/changes/contract/procedures';

export interface FileWanted {
  readonly path: string;
  readonly as: 'text' | 'image';
}

/** A changed file on both sides; null where it does not exist. As text only one side is read. */
export interface ChangedFile {
  readonly old: FileSide | null;
  readonly fresh: FileSide | null;
}

export interface ChangeSearched {
  readonly matches: ChangeMatch[];
  readonly total: number;
  /** Files too large to be searched. */
  readonly files: string[];
}
