import { join } from 'node:path';
import { secretFile } from '../secret-file';

export const apiTokenFile = (dataDir: string): string => join(dataDir, 'api-token');

/** The bearer token of the HTTP API: made once, then the same until its file is deleted. */
export const apiToken = (dataDir: string): string => secretFile(apiTokenFile(dataDir));
