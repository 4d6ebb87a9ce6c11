import { readFileSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

export interface Frame {
  readonly page: number;
  /** The last frame of a transaction. */
  readonly commits: boolean;
}

export interface Wal {
  readonly pageSize: number;
  /** The bytes of one page with its header in the log. */
  readonly frameBytes: number;
  readonly frames: readonly Frame[];
}

/** The frames of a write-ahead log since it was last restarted. */
export function readWal(file: string): Wal {
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt32BE(8);
  const frameBytes = FRAME_HEADER + pageSize;
  const salt = bytes.subarray(16, 24);
  const frames: Frame[] = [];
  for (let at = HEADER; at + frameBytes <= bytes.length; at += frameBytes) {
    // Frames from before a restart have another salt.
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    frames.push({ page: bytes.readUInt32BE(at), commits: bytes.readUInt32BE(at + 4) > 0 });
  }
  return { pageSize, frameBytes, frames };
}
