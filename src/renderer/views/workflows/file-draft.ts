/** A text that is not saved, and the hash of the file's state that it was made from. */
export interface FileDraft {
  readonly text: string;
  readonly base: string;
}

/** Null where nothing is kept, or it cannot be read. */
export function readFileDraft(kept: string): FileDraft | null {
  try {
    const { text, base } = JSON.parse(kept);
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : null;
  } catch {
    return null;
  }
}

export const keptFileDraft = ({ text, base }: FileDraft): string => JSON.stringify({ text, base });
