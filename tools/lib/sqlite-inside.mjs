import { join } from 'node:path';
import { modules } from './paths.mjs';

const lib = modules('better-sqlite3', 'lib');

/**
 * Node's module resolution takes 1 ms. A script that is not in a folder with the package has no native part.
 */
const IN_PACKAGE = `const __sqliteLib = (function above(folder) {
  const found = path.join(folder, 'node_modules', 'better-sqlite3', 'lib');
  return fs.existsSync(found) || folder === path.dirname(folder) ? found : above(path.dirname(folder));
})(__dirname);`;

/** With slashes, whichever separators a bundler and a system use. */
const isIn = (id, end) => id.replaceAll('\\', '/').includes(`/better-sqlite3/lib/${end}`);
const OTHERWISE = 'better-sqlite3 looks for its native half in another way now';

/**
 * A plugin for scripts that the start waits for: bundles the JavaScript of better-sqlite3, because finding
 * and reading its fifteen files takes 4 ms. Its native part is still located in its own package.
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
