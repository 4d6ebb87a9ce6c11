import { readFileSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

/**
 * Number of transactions in a write-ahead log: each ends with a frame that contains the database's new size.
 */
export function commitsIn(walFile: string): number {
  const bytes = readFileSync(walFile);
  if (bytes.length < HEADER) return 0;
  const frame = FRAME_HEADER + bytes.readUInt32BE(8);
  const salt = bytes.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER; at + frame <= bytes.length; at += frame) {
    // Frames from before the log was restarted have another salt.
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    if (bytes.readUInt32BE(at + 4) > 0) commits++;
  }
  return commits;
}
