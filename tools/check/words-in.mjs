/**
 * Finds every text in a source file that a person may read: text in JSX, and strings and templates that look
 * like words and reach a screen, a terminal or an agent's operator.
 */
import ts from 'typescript';

/** Attributes and properties that are always shown, whatever their text looks like. */
const SHOWN = new Set(
  `title label aria-label ariaLabel placeholder hint message help summary empty description tooltip text what why reason
  detail details note heading caption alt aria-description aria-roledescription question prompt about does usage lead
  confirm verb noun problem consequence`
    .trim()
    .split(/\s+/),
);
/** Attributes and properties that are never shown. */
const HIDDEN = new Set(
  `className id key href src type role style d viewBox htmlFor name kind icon as points transform data-part data-key
  data-state data-tone tone pattern regex sql`
    .trim()
    .split(/\s+/),
);
/** Calls whose strings are for programs. */
const PROGRAM =
  /^(?:(?:\w+\.)*(?:prepare|exec|pragma|querySelector(?:All)?|closest|matches|literal|enum|discriminatedUnion|getItem|setItem|require|import|test|split|startsWith|endsWith|includes|indexOf|replace(?:All)?|join|match|getPropertyValue|setProperty|createElement(?:NS)?|addEventListener|removeEventListener|sql|RegExp|performance\.mark))$/;

/** A sentence or a label: two words, or one that begins a label. */
const WORDS = /[A-Za-z’']{2,}[,;:]? +[“"(]?[a-z’'$]{2,}|^[A-Z][a-z]+[.…]?$|[a-z]{2,}[.!?]( |$)/;
/** Lines for programs: SQL, shell scripts, git's own words. */
const CODE =
  /^\W*(?:select|insert|update \w+ set|delete from|create (?:table|index|unique|virtual)|alter table|pragma|begin immediate|with \w+ ?(?:\(|as)|with recursive|where|order by|from|cross join|left join|join|coalesce|case\n|max\(|count\()\b|\{SELECT\}|\bis (?:not )?null\b|\bas "?\w+"? \(|\$\{?[a-z_]+\}?;|^#!|; do\b|>\/dev\/null|printf/i;

/** All texts of a file: `{ line, text, said, where }`; `said` has `{}` for each inserted value. */
export function wordsIn(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kindOf(file));
  const found = [];
  visit(tree, found, tree);
  return found;
}

const kindOf = (file) => (file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);

function visit(node, found, tree) {
  if (isSkipped(node)) return;
  if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
    if (saysSomething(node)) {
      const first = node.children[0];
      const [text, said] = [inner(node, (one) => source(one, tree)), inner(node, () => '{}')];
      found.push({ line: lineOf(first, tree), text: text.trim(), said: said.trim(), where: 'jsx' });
    }
  } else if (isText(node)) {
    const place = placeOf(node);
    const said = rendered(node, () => '{}');
    if (place !== null && (place.shown || looksReadable(said))) {
      const text = rendered(node, (one) => source(one, tree));
      found.push({ line: lineOf(node, tree), text: text.trim(), said: said.trim(), where: place.name });
    }
  }
  ts.forEachChild(node, (child) => visit(child, found, tree));
}

function lineOf(node, tree) {
  const space = ts.isJsxText(node) ? (/^\s*/.exec(node.getText(tree))?.[0].length ?? 0) : 0;
  return tree.getLineAndCharacterOfPosition(node.getStart(tree) + space).line + 1;
}

const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

const isSkipped = (node) =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isTaggedTemplateExpression(node) && /sql|css/i.test(node.tag.getText()));

const looksReadable = (text) => !CODE.test(text) && WORDS.test(text);

/** How a text reaches a reader; null for a text that only programs read. */
function placeOf(node) {
  const parent = node.parent;
  if (ts.isJsxAttribute(parent) || (ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent))) {
    const name = (ts.isJsxAttribute(parent) ? parent : parent.parent).name.getText();
    return HIDDEN.has(name) || name.startsWith('data-') ? null : { name, shown: SHOWN.has(name) };
  }
  if (ts.isPropertyAssignment(parent)) {
    if (parent.name === node) return null;
    const name = parent.name.getText().replace(/['"]/g, '');
    return HIDDEN.has(name) ? null : { name, shown: SHOWN.has(name) && !isKey(node) };
  }
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText())) return null;
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent) || ts.isLiteralTypeNode(parent))
    return null;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const called = parent.expression.getText();
    if (PROGRAM.test(called)) return null;
    return { name: `${called.slice(0, 30)}()`, shown: false };
  }
  return { name: '', shown: false };
}

/** A single lower-case word without a space is a key as often as a label. */
const isKey = (node) => ts.isStringLiteral(node) && /^[a-z0-9._:/-]*$/.test(node.text);

function rendered(node, fill) {
  if (!ts.isTemplateExpression(node)) return node.text;
  return (
    node.head.text + node.templateSpans.map((span) => fill(span.expression) + span.literal.text).join('')
  );
}

/** An inserted value, as its code. */
const source = (expression, tree) => `{${expression.getText(tree).replace(/\s+/g, ' ').slice(0, 60)}}`;

/** Whether an element has text of its own, besides the text of its child elements. */
const saysSomething = (node) => node.children.some((child) => ts.isJsxText(child) && /\S/.test(child.text));

/** The text of an element, including its child elements. */
function inner(node, fill) {
  return node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text.replace(/\s*\n\s*/g, ' ');
      if (ts.isJsxExpression(child)) {
        const { expression } = child;
        if (expression === undefined) return '';
        return isText(expression) ? rendered(expression, fill) : fill(expression);
      }
      if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return `‹${inner(child, fill).trim()}›`;
      return '‹›';
    })
    .join('');
}
