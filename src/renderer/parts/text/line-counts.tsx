/** Added and removed lines, in the head of a change. */
export function LineCounts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null) return <span className="faint note">binary</span>;
  return (
    <span className="tally">
      <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
    </span>
  );
}
