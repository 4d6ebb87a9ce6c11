import type { RunState } from '@contract/run/state';
import { Facts } from '@renderer/ui/layout/facts';
import { FoldedText } from '@renderer/ui/layout/fold';

/** The values of the workflow's inputs at the start of the run, including defaults. */
export function RunInputs({ state }: { state: RunState }) {
  const inputs = Object.entries(state.references.inputs);
  if (inputs.length === 0) return null;
  return (
    <section aria-label="Inputs">
      <Facts
        facts={inputs.map(([name, value]) => ({
          name,
          value: value === '' ? <span className="faint">empty</span> : <FoldedText text={value} />,
        }))}
      />
    </section>
  );
}
