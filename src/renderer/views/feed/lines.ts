/** A line of an update: its label where it has one, and what stands behind it. */
export interface UpdateLine {
  readonly label: string | null;
  readonly text: string;
}

const LABELS = ['Story: ', 'Result: ', 'Commit: ', 'Summary: '];

/** The lines as they were sent, cut into label and value for setting only: joined again they are the message. */
export function updateLines(message: string): UpdateLine[] {
  return message.split('\n').map((line) => {
    const label =
      LABELS.find((label) => line.startsWith(label)) ?? (line.startsWith('Iteration ') ? 'Iteration ' : null);
    return label === null
      ? { label, text: line }
      : { label: label.trimEnd(), text: line.slice(label.length) };
  });
}
