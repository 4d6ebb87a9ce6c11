import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noticesFile } from './notices.mjs';

/** The app is packed for the current system, whose Electron and native binaries are used. */
const here = `${process.platform}-${process.arch}`;

/**
 * The stand-in has a default app, of which electron-builder removes only the official one's, and a snapshot of 115 MB that
 * only a fuse would load that is off here (`loadBrowserProcessSpecificV8Snapshot`).
 */
const removeUnused = async ({ appOutDir }) => {
  for (const file of ['resources/default_app.asar', 'browser_v8_context_snapshot.bin'])
    await rm(join(appOutDir, file), { force: true });
};

/** The electron-builder configuration. index.mjs sets the Electron to pack. */
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
    // Sources for compiling, and binaries for other systems.
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
  // Muster's own licence lies beside the program; on Linux so does the command line, which the packages link to.
  extraFiles: [
    { from: 'LICENSE', to: 'LICENSE' },
    ...(process.platform === 'linux' ? [{ from: 'tools/package/linux/files/muster', to: 'bin/muster' }] : []),
  ],
  asar: true,
  // Native modules, started programs and files for other programs cannot be in an archive.
  asarUnpack: ['**/*.node', 'node_modules/node-pty/prebuilds/**', 'resources/**'],
  // The set-up has built the one binary for both runtimes.
  npmRebuild: false,
  electronFuses: {
    // The scripted agent, and on Windows the guard of agents, are scripts that this executable runs as Node.
    runAsNode: true,
    enableNodeCliInspectArguments: false,
    enableNodeOptionsEnvironmentVariable: false,
    onlyLoadAppFromAsar: true,
    // Electron checks it only on macOS and Windows.
    enableEmbeddedAsarIntegrityValidation: process.platform !== 'linux',
    enableCookieEncryption: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    // None of our pages is a file.
    grantFileProtocolExtraPrivileges: false,
  },
  // On macOS and Linux only the package registers `muster://`.
  protocols: [{ name: 'Muster', schemes: ['muster'] }],
  electronLanguages: ['en-US'],
  afterPack: removeUnused,
  linux: {
    // deb and rpm are made without it (linux/packages.mjs).
    target: ['AppImage'],
    category: 'Development',
    icon: 'resources/icon.png',
    // The desktop uses the name of this file for the window's icon, its badge and the handler of `muster://`.
    syncDesktopName: true,
  },
  mac: { target: ['dmg'], category: 'public.app-category.developer-tools', icon: 'resources/icon.png' },
  win: { target: ['nsis'], icon: 'resources/icon.png' },
};
