/** Where git and forges cut a subject. */
const MOST_SUBJECT = 72;
const MOST_BODY = 4_000;

interface Work {
  readonly runName: string;
  readonly instruction: string;
  readonly runId: number;
  /** Its branch, else its commit. */
  readonly source: string;
}

/** The message that is proposed for the commit of a result: the run's name, its instruction, and where it is from. */
export function applyMessage({ runName, instruction, runId, source }: Work): string {
  const name = oneLine(runName);
  const asked = instruction.trim();
  const [line = ''] = asked.split('\n');
  const first = oneLine(line.replace(/^[#>*\-\s]+/, ''));
  // A name that is the beginning of the instruction can be longer here.
  const isName = first.startsWith(name.replace(/…$/, ''));
  const whole = first !== '' && isName ? first : name;
  const subject = cut(whole, MOST_SUBJECT);
  const body = asked === '' || (subject === whole && oneLine(asked) === first) ? '' : cut(asked, MOST_BODY);
  return [subject, body, `From ${source} of Muster's run ${runId}.`]
    .filter((part) => part !== '')
    .join('\n\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const cut = (text: string, most: number): string => {
  const points = [...text];
  return points.length <= most
    ? text
    : `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
};
