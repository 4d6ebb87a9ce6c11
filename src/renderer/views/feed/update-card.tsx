import type { UpdateRow } from '@contract/update/procedures';
import { memo } from 'react';
import { Ago } from '../../parts/ago';
import { resultWords } from '../../parts/words';
import { Glyph } from '../../ui/icon';
import { updateLines } from './lines';

/** Five lines, exactly as they were sent. */
export const UpdateCard = memo(function UpdateCard({ row, onRun }: { row: UpdateRow; onRun: () => void }) {
  const lines = updateLines(row.text).map((line, index) => ({ ...line, index }));
  const { icon, tone } = resultWords[row.update.result];
  return (
    <article className="update-card">
      <div className="update-lines">
        {lines.map((line) => (
          <div key={line.index} className="update-line">
            <span className="mono update-label">{line.label}</span>
            {line.label === 'Result:' ? (
              <span className={`status ${tone}`}>
                <Glyph of={icon} size={14} />
                <span>{line.text}</span>
              </span>
            ) : (
              <span className={`cut ${line.label === 'Commit:' ? 'mono' : ''}`} title={line.text}>
                {line.text}
              </span>
            )}
          </div>
        ))}
      </div>
      <div className="update-meta">
        <Ago at={row.at} />
        <button
          type="button"
          className="text-button cut"
          tabIndex={-1}
          title="Show only this run"
          onClick={onRun}
        >
          {row.runName}
        </button>
      </div>
    </article>
  );
});
