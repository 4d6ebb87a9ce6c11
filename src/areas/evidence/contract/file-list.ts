import { amount } from '@contract/bounds';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { parsed } from './test-results';

const fileSchema = lazyObject(() => ({
  path: z.string(),
  old_path: z.string().nullish(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'type_changed']),
  added: amount().nullish(),
  removed: amount().nullish(),
}));
type ListedFile = z.infer<typeof fileSchema>;

/** The changed files of stored evidence; null if the text has another form. */
export const readFiles = (text: string): ListedFile[] | null =>
  z.array(fileSchema).safeParse(parsed(text)).data ?? null;
