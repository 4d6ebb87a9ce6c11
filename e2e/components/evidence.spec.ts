import type { EvidenceKind } from '@areas/evidence/contract/evidence';
import type { Json } from '@contract/ids';
import { findings, findingsOfThemes } from '../fixtures/axe';
import { expect, test } from './part';

const ESC = '\u001b';
const HTML = '<img src=x onerror="window.attacked = true"><script>window.attacked = true</script>';
const RIGHT_TO_LEFT = 'שלום עולם \u202eevil\u202c مرحبا';
const LINES = 50_000;

const hunk = (lines: number) =>
  [
    'diff --git a/src/<b>big.ts b/src/<b>big.ts',
    '--- a/src/<b>big.ts',
    '+++ b/src/<b>big.ts',
    `@@ -0,0 +1,${lines} @@`,
    ...Array.from({ length: lines }, (_, index) => `+${index === 0 ? HTML : `line ${index + 1}`}`),
  ].join('\n');
const binary =
  'diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n';
const coloured = Array.from(
  { length: LINES },
  (_, index) => `${ESC}[3${index % 8}mrow ${index + 1}${ESC}[0m`,
);

interface Shown {
  readonly kind: EvidenceKind;
  readonly content: Json;
  /** What is in sight of it at first, and what is not to be there. */
  readonly has: string;
  readonly hasNot?: string;
  /** The button that shows the rest. */
  readonly more?: RegExp;
}

/** Every kind of evidence, with what is hostile to it. */
const ports: Record<string, Shown> = {
  colours: {
    kind: 'output',
    content: `${ESC}]0;title\u0007${coloured.join('\n')}\n10 %\r${ESC}[1;41m FAIL ${ESC}[0m ${HTML}\u0000\n`,
    has: ' FAIL  <img src=x',
    hasNot: '10 %',
    more: /^Show 49601 lines before this/,
  },
  line: {
    kind: 'output',
    content: 'x'.repeat(1_000_000),
    has: 'xxx',
    more: /^Show 960000 characters before/,
  },
  nul: { kind: 'output', content: '\u0000\u0001PNG\u001a\ufffd\n', has: '␀␁PNG␚' },
  essay: {
    kind: 'markdown',
    content: `# The beginning\n\n${'word '.repeat(20_000)}\n\nThe end.`,
    has: 'The end.',
    hasNot: 'The beginning',
    more: /^Show all \d+ characters from the beginning/,
  },
  rtl: { kind: 'output', content: RIGHT_TO_LEFT, has: '⟨U+202E⟩evil' },
  diff: { kind: 'diff', content: hunk(LINES), has: 'onerror=', hasNot: 'line 50000' },
  binary: { kind: 'diff', content: binary, has: 'This binary file is not shown.' },
  prose: { kind: 'markdown', content: `# Hello\n\n${HTML}\n\n[go](javascript:alert(1))`, has: 'Hello' },
  plain: { kind: 'text', content: `${HTML}\n${RIGHT_TO_LEFT}`, has: '⟨U+202E⟩evil' },
  long: { kind: 'text', content: 'y'.repeat(1_000_000), has: 'yyy', more: /^Show 960000 more characters/ },
  data: {
    kind: 'json',
    content: { html: HTML, rows: Array.from({ length: LINES }, (_, index) => index) },
    has: '"html"',
    more: /^Show \d+ more lines/,
  },
  findings: {
    kind: 'findings',
    content: JSON.stringify([
      { severity: 'low', text: RIGHT_TO_LEFT },
      { severity: 'critical', text: HTML, file: 'src/<b>.ts', line: 3 },
    ]),
    has: 'src/<b>.ts:3',
  },
  tests: {
    kind: 'tests',
    content: {
      captured: true,
      command: `npm test ${HTML}`,
      exit_code: 1,
      output_tail: `${ESC}[31m1 failed${ESC}[0m`,
      turn: 1,
    },
    has: '1 failed',
    hasNot: '[31m',
  },
  files: {
    kind: 'files',
    content: [
      { path: `src/${HTML}`, old_path: null, status: 'added', added: 3, removed: 0 },
      { path: 'logo.png', old_path: 'a.png', status: 'renamed', added: null, removed: null },
    ],
    has: 'from a.png',
  },
};

// A trace keeps the whole page at every step: with these contents that takes longer than the test.
test.use({ trace: 'off' });

const bundleOf = (port: string, { kind, content }: Shown) => ({
  kind,
  content,
  source_session_key: null,
  metadata: { step_id: 'show', port },
});

for (const [port, shown] of Object.entries(ports))
  test(`${shown.kind} with hostile content (${port}) is shown as what it is, and whole on request`, async ({
    part,
  }) => {
    const { has, hasNot, more } = shown;
    const body = await part.mount('contents', { bundles: [bundleOf(port, shown)] });
    await expect(body).toContainText(has);
    if (hasNot !== undefined) await expect(body).not.toContainText(hasNot);
    if (more !== undefined) {
      const button = body.getByRole('button', { name: more });
      await button.click();
      await expect(button).toHaveCount(0);
    }
    expect(await part.page.evaluate(() => 'attacked' in window)).toBe(false);
    await expect(body.locator('a[href^="javascript:"]')).toHaveCount(0);
  });

test('hostile evidence of every kind is free of accessibility faults in both themes', async ({ part }) => {
  const bundles = Object.entries(ports).map(([port, shown]) => bundleOf(port, shown));
  const body = await part.mount('contents', { bundles });
  for (const { has } of Object.values(ports)) await expect(body).toContainText(has);
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await part.page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
    found.push(...(await findings(part.page, `the ${theme} theme`, 'main')));
  }
  // Beside each other, as only here, some have the same name.
  expect(found.filter((fault) => !fault.includes('landmark-unique'))).toEqual([]);
});

const HOSTILE: Readonly<Record<string, string>> = {
  ansi: `${ESC}[31mred${ESC}[0m ${ESC}]8;;https://evil.example${ESC}\\link${ESC}]8;;${ESC}\\ ${ESC}[2J`,
  html: HTML,
  lines: Array.from({ length: LINES }, (_, index) => `line ${index + 1}`).join('\n'),
  binary: '\u0000\u0001\u0002PNG\u001a\ufffd\u0007',
  rightToLeft: RIGHT_TO_LEFT,
  oneLine: 'z'.repeat(1_000_000),
};
const KINDS = Object.keys({
  text: true,
  markdown: true,
  diff: true,
  output: true,
  findings: true,
  tests: true,
  files: true,
  json: true,
} satisfies Record<EvidenceKind, true>) as EvidenceKind[];

for (const kind of KINDS)
  test(`${kind} with ANSI, HTML, 50,000 lines, binary, right-to-left and a line of 1 MB is drawn as text, folded, and free of accessibility faults`, async ({
    part,
  }) => {
    const entries = Object.entries(HOSTILE);
    const bundles = entries.map(([port, content]) => bundleOf(port, { kind, content, has: '' }));
    const body = await part.mount('contents', { bundles });
    await expect(body).toContainText('zzz');
    await expect(body).toContainText('⟨U+202E⟩evil');
    // Nothing of it acts, nothing turns the direction of reading, and what is large is folded.
    expect(await part.page.evaluate(() => 'attacked' in window)).toBe(false);
    await expect(body.locator('img, script, a[href^="javascript:"]')).toHaveCount(0);
    // Only Markdown makes a link of an address, and says where it leads.
    const links = await body.locator('a').evaluateAll((found) => found.map((one) => one.textContent));
    expect(links.every((text) => kind === 'markdown' && text?.startsWith('https://evil.example'))).toBe(true);
    const shown = await body.evaluate((element) => element.textContent ?? '');
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(shown.length).toBeLessThan(600_000);
    await expect(body.getByRole('button', { name: /^Show .*(lines|characters)/ })).not.toHaveCount(0);
    const faults = await findingsOfThemes(part.page, kind, 'main');
    expect(faults.filter((fault) => !fault.includes('landmark-unique'))).toEqual([]);
  });
