import { setOwnValue } from '@contract/own';

/** Variables that Muster's own runtime, its package manager and its test runner set. */
const OWN = [
  /^NODE_OPTIONS$/,
  /^NODE_CHANNEL_/,
  /^NODE_UNIQUE_ID$/,
  /^NODE_ENV$/,
  /^ELECTRON_/,
  /^npm_/i,
  /^INIT_CWD$/,
  /^VITEST/,
  /^MUSTER_/,
  /^CHROME_DESKTOP$/,
  /^ORIGINAL_XDG_CURRENT_DESKTOP$/,
  /^(APPDIR|APPIMAGE|ARGV0|OWD)$/,
];

/** Folders that a package manager adds to PATH while it runs a script. */
const SCRIPT_FOLDER = /(node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/;

/** The operator's shell environment without PATH, for other programs. */
export function cleanEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    // PATH is completed and set again; on Windows its spelling varies.
    if (value === undefined || name.toUpperCase() === 'PATH') continue;
    if (!OWN.some((pattern) => pattern.test(name))) setOwnValue(clean, name, value);
  }
  return clean;
}

/** PATH without the folders of the script that started Muster. */
export function cleanPath(path: string, delimiter: string): string[] {
  return path.split(delimiter).filter((folder) => folder !== '' && !SCRIPT_FOLDER.test(folder));
}
