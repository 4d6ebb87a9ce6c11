import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes workflows, by file name, into the project of `addProject`. */
export function writeWorkflows(home, texts) {
  const folder = join(home, 'project', '.muster', 'workflows');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
}
