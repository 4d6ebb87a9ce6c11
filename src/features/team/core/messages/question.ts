/** A longer response is work, even if its last sentence is a question. */
const MOST_CHARS = 1_200;

/** Asks for feedback on the delivery, or offers more: the work itself is done. */
const COURTESY =
  /\b(?:anything (?:else|more)|(?:would|do) you (?:like|want) (?:me to|any|another|more)|want me to|sh(?:all|ould) i (?:also|go on|continue|proceed)|let me know|any (?:other |more |further )?(?:changes|feedback|questions|thoughts|comments|requests)|what do you think|(?:do|does|how does|how do|is|are) (?:this|that|it|these) (?:look|sound|work|seem|ok|okay|fine|good|right|better|what you)|happy with|satisfied with)\b/i;

/**
 * Whether a text without a result asks the lead for something without which work cannot continue. It must end
 * with a question that is not a courtesy.
 */
export function isQuestion(text: string): boolean {
  const plain = text
    .trim()
    .replace(/[\s*_"'`)\]]+$/, '')
    .replace(/[’‘]/g, "'");
  if (!plain.endsWith('?') || plain.length > MOST_CHARS) return false;
  const last = plain.split(/(?<=[.!?:])\s+|\n+/).at(-1) ?? plain;
  return !COURTESY.test(last);
}
