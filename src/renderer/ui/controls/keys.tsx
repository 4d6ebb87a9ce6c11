/** Key caps, hidden from screen readers: the name of the button says what it does. */
export function Keys({ caps }: { caps: readonly string[] }) {
  if (caps.length === 0) return null;
  const counted = caps.map((cap, index) => ({ cap, id: `${index}${cap}` }));
  return (
    <span className="keys" aria-hidden>
      {counted.map(({ cap, id }) => (
        <kbd key={id}>{cap}</kbd>
      ))}
    </span>
  );
}
