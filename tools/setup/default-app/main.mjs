/**
 * Implements `electron [-r module]... [--switches] <folder or file> [args]` for the stand-in Electron, whose
 * default app was not copied. It supports only what our tools need. It is a module like the official one:
 * Electron delays `ready` until its top level has been awaited, and so until the app's own entry has run.
 */
import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

function parseArguments(argv) {
  const preload = [];
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index];
    if (argument === '-r' || argument === '--require') preload.push(argv[++index]);
    else if (argument === '-v' || argument === '--version') return { preload, version: true };
    else if (argument.startsWith('--app=')) return { preload, target: argument.slice('--app='.length) };
    else if (!argument.startsWith('-')) return { preload, target: argument };
  }
  return { preload };
}

function describe(target) {
  const file = path.join(target, 'package.json');
  if (!fs.existsSync(file)) return undefined;
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function applyPackage(manifest) {
  if (manifest.version) app.setVersion(manifest.version);
  app.setName(manifest.productName ?? manifest.name ?? 'Electron');
  app.setDesktopName(manifest.desktopName ?? `${app.getName()}.desktop`);
}

function load(target) {
  const folder = path.resolve(target);
  const manifest = describe(folder);
  if (manifest) applyPackage(manifest);
  const entry = Module._resolveFilename(folder, null, true);
  app.setAppPath(manifest ? folder : path.dirname(entry));
  const isModule = entry.endsWith('.mjs') || (manifest?.type === 'module' && !entry.endsWith('.cjs'));
  if (!isModule) return Module._load(entry, Module, true);
  return import(pathToFileURL(entry).href).catch((error) => {
    console.error(error);
    app.exit(1);
  });
}

const { preload, target, version } = parseArguments(process.argv.slice(1));
if (version) {
  console.log(`v${process.versions.electron}`);
  process.exit(0);
}
if (!target) {
  console.error('usage: electron [-r module] <folder or file>');
  process.exit(1);
}
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
if (preload.length > 0) Module._preloadModules(preload);
await load(target);
