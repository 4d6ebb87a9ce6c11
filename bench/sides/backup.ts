/** `backup.js ours|copy FILE FOLDER`: the milliseconds of a backup, or of a copy that is on the disk. */
import { constants, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backUpOnline, synced } from '../../src/main/adapters/sqlite/backup/online-backup';
import { say } from '../kit/say';

const [, , how = '', path = '', folder = ''] = process.argv;
const target = join(folder, 'copy.db');
const started = performance.now();
if (how === 'ours') await backUpOnline({ path, target, artifacts: null });
else {
  // A clone of a file system that can make one copies nothing.
  copyFileSync(path, target, constants.COPYFILE_EXCL);
  synced(target);
}
say(performance.now() - started);
rmSync(target);
