import { type FileHandle, open } from 'node:fs/promises';
import { INDEX_ROW_BYTES, indexPath } from '@contract/terminal/files';

/** Flushes come faster in a flood; nobody asks for moments that lie closer together. */
const APART_MS = 16;
const OFFSET_BYTES = 6;

/** Beside a terminal's output: when it had which length, a row for each flush. */
export class TimeIndex {
  #lastAt = 0;
  #left: Buffer | null = null;

  private constructor(private readonly file: FileHandle) {}

  static async open(outputPath: string): Promise<TimeIndex> {
    return new TimeIndex(await open(indexPath(outputPath), 'a', 0o600));
  }

  /** Written together with the bytes that it tells of, so it may be ahead of them by one flush after a crash. */
  async add(offset: number, at: number): Promise<void> {
    const row = Buffer.alloc(INDEX_ROW_BYTES);
    row.writeUIntBE(offset, 0, OFFSET_BYTES);
    row.writeUIntBE(at, OFFSET_BYTES, INDEX_ROW_BYTES - OFFSET_BYTES);
    this.#left = row;
    if (at - this.#lastAt < APART_MS) return;
    await this.#write(at);
  }

  async close(): Promise<void> {
    await this.#write(this.#lastAt);
    await this.file.close().catch(() => undefined);
  }

  async #write(at: number): Promise<void> {
    const row = this.#left;
    this.#left = null;
    this.#lastAt = at;
    // A full disk is told with the output's own error.
    if (row) await this.file.appendFile(row).catch(() => undefined);
  }
}

/** How long the output was at a time: the place from the index, which the reader clamps to what there is. */
export async function offsetAt(outputPath: string, at: number): Promise<number> {
  const file = await open(indexPath(outputPath), 'r');
  try {
    const rows = Math.floor((await file.stat()).size / INDEX_ROW_BYTES);
    const row = Buffer.alloc(INDEX_ROW_BYTES);
    const read = async (index: number): Promise<Buffer> => {
      await file.read(row, 0, INDEX_ROW_BYTES, index * INDEX_ROW_BYTES);
      return row;
    };
    // The last row that is not later.
    let [low, high] = [0, rows];
    while (low < high) {
      const middle = (low + high) >> 1;
      const later = (await read(middle)).readUIntBE(OFFSET_BYTES, INDEX_ROW_BYTES - OFFSET_BYTES) > at;
      if (later) high = middle;
      else low = middle + 1;
    }
    return low === 0 ? 0 : (await read(low - 1)).readUIntBE(0, OFFSET_BYTES);
  } finally {
    await file.close();
  }
}
