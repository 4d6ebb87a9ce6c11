/**
 * xterm.js writes rules into style elements, which our content security policy blocks, even empty ones. While
 * `run` makes such elements, it gets substitutes that are never rendered; their text goes to a constructed
 * style sheet, which the policy allows. The result removes the sheets.
 */
export function withSheets(run: () => void): () => void {
  const sheets: CSSStyleSheet[] = [];
  const create = document.createElement;
  document.createElement = function createElement(
    this: Document,
    name: string,
    options?: ElementCreationOptions,
  ) {
    if (name !== 'style') return create.call(this, name, options);
    const element = create.call(this, 'template');
    sheets.push(sheetFor(element));
    return element;
  } as typeof document.createElement;
  try {
    run();
  } finally {
    document.createElement = create;
  }
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}

function sheetFor(element: HTMLElement): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (rules: string) => {
      text = rules;
      sheet.replaceSync(rules);
    },
  });
  return sheet;
}
