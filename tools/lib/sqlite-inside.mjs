import { join } from 'node:path';
import { modules } from './paths.mjs';

const lib = modules('better-sqlite3', 'lib');

/** Node's own way to find a package takes 1 ms. A script that is not in a folder with the package has no native half. */
const IN_PACKAGE = `const __sqliteLib = (function above(folder) {
  const found = path.join(folder, 'node_modules', 'better-sqlite3', 'lib');
  return fs.existsSync(found) || folder === path.dirname(folder) ? found : above(path.dirname(folder));
})(__dirname);`;

/** By slashes, whichever a bundler and a system name their files with. */
const isIn = (id, end) => id.replaceAll('\\', '/').includes(`/better-sqlite3/lib/${end}`);
const OTHERWISE = 'better-sqlite3 looks for its native half in another way now';

/**
 * A plugin for scripts that a start waits for: the JavaScript of better-sqlite3 is bundled into them, since to find and
 * read its fifteen files takes 4 ms. Its native half is looked for by its own rules in its own package, as before.
 */
export function sqliteInside() {
  let mended = false;
  return {
    name: 'sqlite-inside',
    enforce: 'pre',
    resolveId: (source) => (source === 'better-sqlite3' ? join(lib, 'index.js') : null),
    transform(code, id) {
      if (!isIn(id, 'binding.js')) return null;
      const found = code
        .replaceAll('__dirname', '__sqliteLib')
        .replace("const path = require('path');", `$&\n${IN_PACKAGE}`);
      if (!found.includes(IN_PACKAGE)) throw new Error(OTHERWISE);
      mended = true;
      return { code: found, map: null };
    },
    generateBundle() {
      if (!mended && [...this.getModuleIds()].some((id) => isIn(id, ''))) throw new Error(OTHERWISE);
    },
  };
}
