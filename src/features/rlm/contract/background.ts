/** Lines around passages from the model's own knowledge. They are Markdown comments. */
export const BACKGROUND = {
  begin: '<!-- BACKGROUND_KNOWLEDGE_START -->',
  end: '<!-- BACKGROUND_KNOWLEDGE_END -->',
} as const;

interface AnswerPart {
  /** `background`: the model's own knowledge, without support in the documents. */
  readonly from: 'documents' | 'background';
  readonly text: string;
}

/** Splits an answer into its parts. An unclosed passage extends to the end of the text. */
export function answerParts(answer: string): readonly AnswerPart[] {
  const parts: AnswerPart[] = [];
  const add = (from: AnswerPart['from'], text: string): void => {
    const ownText = text.replaceAll(BACKGROUND.begin, '').replaceAll(BACKGROUND.end, '').trim();
    if (ownText !== '') parts.push({ from, text: ownText });
  };
  for (let at = 0; at < answer.length; ) {
    const begin = answer.indexOf(BACKGROUND.begin, at);
    add('documents', answer.slice(at, begin < 0 ? undefined : begin));
    if (begin < 0) break;
    const end = answer.indexOf(BACKGROUND.end, begin);
    add('background', answer.slice(begin, end < 0 ? undefined : end));
    at = end < 0 ? answer.length : end + BACKGROUND.end.length;
  }
  return parts;
}

/** The part of the answer that is based on the documents. */
export const withoutBackground = (answer: string): string =>
  answer.includes(BACKGROUND.begin)
    ? answerParts(answer)
        .flatMap(({ from, text }) => (from === 'documents' ? [text] : []))
        .join('\n\n')
    : answer;
