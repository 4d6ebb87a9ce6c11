/** A line of an update: its label where it has one, and what is behind it. */
export interface UpdateLine {
  readonly label: string | null;
  readonly text: string;
}

/** One to a line, in this order; what follows the last belongs to the summary. */
const LABELS = ['Iteration', 'Story:', 'Result:', 'Commit:', 'Summary:'];

/** The lines as they were sent, cut into label and value for setting only: joined again they are the message. */
export function updateLines(message: string): UpdateLine[] {
  return message.split('\n').map((line, index) => {
    const label = LABELS[index];
    if (label === undefined || !line.startsWith(`${label} `)) return { label: null, text: line };
    return { label, text: line.slice(label.length + 1) };
  });
}

/** `US-001 - Log in` or `dr-brac - Prompt engineers` as it is; of the step itself, `build - Build it`, the title alone. */
export function storyTitle(story: string, stepId: string | null): string {
  const own = `${stepId} - `;
  return story.startsWith(own) ? story.slice(own.length) : story;
}
