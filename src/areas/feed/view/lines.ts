/** A line of an update: its label, if any, and the text after it. */
interface UpdateLine {
  readonly label: string | null;
  readonly text: string;
}

/** One per line, in this order; what follows the last belongs to the summary. */
const LABELS = ['Iteration', 'Story:', 'Result:', 'Commit:', 'Summary:'];

/** The lines as they were sent, split into label and value only for display: joined they are the message. */
export function updateLines(message: string): UpdateLine[] {
  return message.split('\n').map((line, index) => {
    const label = LABELS[index];
    if (label === undefined || !line.startsWith(`${label} `)) return { label: null, text: line };
    return { label, text: line.slice(label.length + 1) };
  });
}

/**
 * `US-001 - Log in` or `dr-brac - Prompt engineers` unchanged; for the step itself, `build - Build it`, only
 * the title.
 */
export function storyTitle(story: string, stepId: string | null): string {
  const ownPrefix = `${stepId} - `;
  return story.startsWith(ownPrefix) ? story.slice(ownPrefix.length) : story;
}
