/** Maximum length drawn as Markdown: an agent that floods must not block the window. */
export const MOST_MARKDOWN_CHARACTERS = 60_000;
