import { app } from 'electron';

/** Pages of 64 KB: 1 GB. Python then gets a MemoryError and continues. */
const PAGES = 16_384;

/** Before the app is ready. It holds for all pages; none but a REPL comes near it. */
export function limitWasmMemory(): void {
  const asked = app.commandLine.getSwitchValue('js-flags');
  app.commandLine.appendSwitch(
    'js-flags',
    [asked, `--wasm-max-mem-pages=${PAGES}`].filter(Boolean).join(' '),
  );
}
