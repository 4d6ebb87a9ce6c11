/** A line of an update: its label where it has one, and what stands behind it. */
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

/** `US-001 - Log in` as it is; of a step, whose id is a name in its workflow, the title alone. */
export function storyTitle(story: string): string {
  const [, id = '', title = ''] = /^(\S+) - (.+)$/s.exec(story) ?? [];
  // A step inside of another is named by its path: `check[3]/read`.
  const isStep = !/[A-Z0-9]/.test(id.replace(/(?:#\d+)?(?:\[\d+\])?\//g, '/'));
  return title !== '' && isStep ? title : story;
}
