import { sentence } from '../../ui/sentence';

/** A sentence in which backticks mark commands: they are set as code. */
export function CommandText({ text }: { readonly text: string }) {
  const [before = '', ...rest] = sentence(text).split('`');
  // `split` leaves the commands at the even places of the rest.
  const pieces = rest.map((piece, index) => ({
    piece,
    isCommand: index % 2 === 0,
    key: `${index} ${piece}`,
  }));
  return (
    <>
      {before}
      {pieces.map(({ piece, isCommand, key }) => (isCommand ? <code key={key}>{piece}</code> : piece))}
    </>
  );
}
