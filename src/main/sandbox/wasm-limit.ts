import { app } from 'electron';

/** In pages of 64 KB: 1 GB. Beyond, Python gets a MemoryError and continues. */
const PAGES = 16_384;

/** Call before the app is ready. Applies to all pages; only a REPL comes near it. */
export function limitWasmMemory(): void {
  const flags = app.commandLine.getSwitchValue('js-flags');
  app.commandLine.appendSwitch(
    'js-flags',
    [flags, `--wasm-max-mem-pages=${PAGES}`].filter(Boolean).join(' '),
  );
}
