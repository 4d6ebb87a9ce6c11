/** An unsaved text, and the hash of the file's state on which it is based. */
export interface FileDraft {
  readonly text: string;
  readonly base: string;
}

/** Null if nothing is saved, or it cannot be parsed. */
export function readFileDraft(kept: string): FileDraft | null {
  try {
    const { text, base } = JSON.parse(kept);
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : null;
  } catch {
    return null;
  }
}

export const keptFileDraft = ({ text, base }: FileDraft): string => JSON.stringify({ text, base });
