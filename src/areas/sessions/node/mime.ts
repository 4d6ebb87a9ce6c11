import { extname } from 'node:path';
import { ownValue } from '@contract/own';

const MIMES: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.zip': 'application/zip',
};

/** From the file name; unknown types count as plain text, which agents get as a link if it is large. */
export const mimeOf = (path: string): string => ownValue(MIMES, extname(path).toLowerCase()) ?? 'text/plain';
