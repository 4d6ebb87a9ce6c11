import { useConfig } from '@areas/workflows/view/parts/step-panel/form-context';
import {
  ConfigFields,
  FoldedFields,
  type OwnPanelProps,
} from '@areas/workflows/view/parts/step-panel/own-panel';

/** Settings of the instruction, of each agent, and of how the agents work together. */
export function CodingPanel({ fields }: OwnPanelProps) {
  const { valueAt, has } = useConfig();
  const agents = valueAt('agents');
  const coordination = valueAt('coordination') ?? 'single';
  const isTeam = (Array.isArray(agents) && agents.length > 1) || has('coordination');
  const hands = coordination === 'sequential' || coordination === 'review_chain';
  return (
    <>
      <ConfigFields fields={fields} keys={['instruction', 'attachments', 'agents']} />
      {isTeam && (
        <ConfigFields
          fields={fields}
          keys={['coordination']}
          labels={{ coordination: 'How the agents work together' }}
        />
      )}
      {(hands || has('handoff_instruction')) && (
        <ConfigFields
          fields={fields}
          keys={['handoff_instruction']}
          labels={{ handoff_instruction: 'Said before the work of the agent before' }}
        />
      )}
      {(coordination === 'review_chain' || has('max_rounds')) && (
        <ConfigFields fields={fields} keys={['max_rounds']} labels={{ max_rounds: 'Most reviews' }} />
      )}
      <FoldedFields
        title="Tests, conversations and limits"
        fields={fields}
        keys={[
          ...['capture_test_results', 'test_patterns', 'session_style', 'session_persist'],
          ...['max_iterations', ...(has('completion_mode') ? ['completion_mode'] : [])],
        ]}
        labels={{
          capture_test_results: 'Give out the results of the last tests',
          session_style: 'After the work, conversations',
        }}
      />
    </>
  );
}
