import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noticesFile } from './notices.mjs';

/** Packed is for the system that packs: the Electron and the native binaries are its own. */
const here = `${process.platform}-${process.arch}`;

/** The stand-in brings a default app, of which electron-builder removes only the official one's. */
const removeDefaultApp = ({ appOutDir }) =>
  rm(join(appOutDir, 'resources', 'default_app.asar'), { force: true });

/** How electron-builder packs Muster. The Electron that is packed is given by index.mjs. */
export default {
  appId: 'dev.muster.console',
  productName: 'Muster',
  directories: { output: 'dist', buildResources: 'resources' },
  files: [
    'out/**',
    'resources/{icon.png,patterns,prompts,sample,scripts}',
    'resources/{patterns,prompts,sample,scripts}/**',
    'package.json',
    '!out/**/*.map',
    // Sources to compile from, and the binaries of other systems than the one that is packed for.
    '!node_modules/better-sqlite3/{deps,src,binding.gyp}',
    '!node_modules/better-sqlite3/build/!(Release)',
    `!node_modules/better-sqlite3/prebuilds/!(${here}.node)`,
    '!node_modules/node-pty/{src,third_party,binding.gyp,scripts}',
    `!node_modules/node-pty/prebuilds/!(${here})`,
    '!node_modules/**/*.pdb',
    '!**/node_modules/node-addon-api/**',
  ],
  // Beside the archive, where the window opens it and anyone can read it.
  extraResources: [{ from: noticesFile, to: 'THIRD-PARTY-NOTICES.txt' }],
  asar: true,
  // Native modules, what is started as a program and what other programs read cannot be in an archive.
  asarUnpack: ['**/*.node', 'node_modules/node-pty/prebuilds/**', 'resources/**'],
  // The set-up has made the one binary that serves both runtimes.
  npmRebuild: false,
  electronFuses: {
    // The scripted agent, and on Windows the guard of agents, are scripts that this executable runs as Node.
    runAsNode: true,
    enableNodeCliInspectArguments: false,
    enableNodeOptionsEnvironmentVariable: false,
    onlyLoadAppFromAsar: true,
    // Electron checks it on macOS and Windows only.
    enableEmbeddedAsarIntegrityValidation: process.platform !== 'linux',
    enableCookieEncryption: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    // No page of ours is a file.
    grantFileProtocolExtraPrivileges: false,
  },
  // On macOS and Linux the system learns of `muster://` from the package alone.
  protocols: [{ name: 'Muster', schemes: ['muster'] }],
  electronLanguages: ['en-US'],
  afterPack: removeDefaultApp,
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    icon: 'resources/icon.png',
    // By the name of this file the desktop finds the window's icon, its badge and who opens `muster://`.
    syncDesktopName: true,
  },
  mac: { target: ['dmg'], category: 'public.app-category.developer-tools', icon: 'resources/icon.png' },
  win: { target: ['nsis'], icon: 'resources/icon.png' },
};
