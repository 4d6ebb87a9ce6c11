import { join } from 'node:path';
import { secretFile } from '../secret-file';

export const apiTokenFile = (dataDir: string): string => join(dataDir, 'api-token');

/** The HTTP API's bearer token: created once, and kept until its file is deleted. */
export const apiToken = (dataDir: string): string => secretFile(apiTokenFile(dataDir));
