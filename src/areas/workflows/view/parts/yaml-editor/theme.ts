import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const common = EditorView.theme({
  '&': { color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { lineHeight: '20px' },
  // The page's own scrollbars do not reach into the shadow tree.
  '.cm-scroller::-webkit-scrollbar': { width: '10px', height: '10px' },
  '.cm-scroller::-webkit-scrollbar-thumb': {
    border: '3px solid transparent',
    borderRadius: '5px',
    background: 'color-mix(in oklch, var(--line-strong) 70%, transparent) padding-box',
  },
  '.cm-scroller::-webkit-scrollbar-corner': { background: 'transparent' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '2px 3px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--failed)' },
  '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--waits)' },
  '.cm-content': { caretColor: 'var(--accent)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-wash)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-wash)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '320px' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
});

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--size-mono)', backgroundColor: 'var(--surface)' },
  '.cm-scroller': { fontFamily: 'var(--mono)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-title)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName], color: 'var(--code-keyword)' },
  { tag: tags.comment, color: 'var(--text-3)' },
]);

export const look = [common, theme, syntaxHighlighting(colours)];

/** For a field in a form, which is as high as its text. */
export const fieldLook = (code: boolean) => [
  common,
  EditorView.theme({
    '&': { minHeight: code ? '20px' : '40px', fontSize: code ? 'var(--size-mono)' : 'inherit' },
    '.cm-scroller': { fontFamily: code ? 'var(--mono)' : 'inherit' },
    '.cm-content': { padding: '0' },
    '.cm-line': { padding: '0' },
    '.cm-placeholder': { color: 'var(--text-3)' },
    '.cm-reference': { color: 'var(--accent)', borderRadius: '3px', backgroundColor: 'var(--accent-wash)' },
  }),
];
