/** More than this of one text is not drawn as Markdown: an agent that floods must not hold up the window. */
export const MOST_MARKDOWN_CHARACTERS = 60_000;
