/** `write-python-snapshot.mjs FILE`: starts Python as the sandbox does and writes its memory (python-snapshot.mjs). */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';

/** What boot.py and most code of a model import. */
const IMPORTED =
  'import collections, datetime, io, itertools, json, math, random, re, string, sys, textwrap, time, traceback';

const [, , file] = process.argv;
// Python takes the name of its program from here, and no path of this machine belongs into the snapshot.
process.argv[1] = 'python';
const python = await loadPyodide({
  // As in src/sandbox-page/worker.ts: what Python holds of them is found again by name.
  jsglobals: { setTimeout, clearTimeout, Object: { fromEntries: Object.fromEntries } },
  // A block that runs again after a crash prints sets in the same order.
  env: { PYTHONHASHSEED: '0', HOME: '/home/pyodide', _: 'python' },
  _makeSnapshot: true,
});
python.runPython(IMPORTED, { globals: python.globals.get('dict')() });
writeFileSync(file, gzipSync(python.makeMemorySnapshot()));
