import { expect, test } from 'vitest';
import { tellingLine } from './telling-line';

const NODE = `/app/worker.js:3
  throw new TypeError('no plan');
  ^

TypeError: no plan
    at run (/app/worker.js:3:9)
    at node:internal/main/run_main_module:36:49 {
  code: 'E_PLAN'
}

Node.js v22.12.0
`;

test.each([
  [NODE, 'TypeError: no plan'],
  [
    'node:internal/modules:1\nError: Cannot find module "x"\n\nNode.js v22.12.0',
    'Error: Cannot find module "x"',
  ],
  ['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad\n', 'ValueError: bad'],
  ['reading config\nfatal: not a git repository\n', 'fatal: not a git repository'],
  ['first\nlast words\n\n', 'last words'],
  ['Segmentation fault\n\nNode.js v22.12.0\n', 'Segmentation fault'],
  ['', ''],
])('of the last output %j the line that says why is %j', (text, line) => {
  expect(tellingLine(text)).toBe(line);
});
