import {
  ConfigFields,
  ConversationFields,
  FoldedFields,
  type OwnPanelProps,
} from '@areas/workflows/view/parts/step-panel/own-panel';

/** Settings of the review: its agent, and how often a revise may lead back. */
export function ReviewPanel({ fields }: OwnPanelProps) {
  return (
    <>
      <ConfigFields fields={fields} keys={['instruction', 'attachments', 'acp_profile_id', 're_prompts']} />
      <ConfigFields
        fields={fields}
        keys={['fail_on', 'max_attempts']}
        labels={{
          fail_on: 'Without a decision, findings that mean revise',
          max_attempts: 'Most revises that lead back',
        }}
      />
      <ConversationFields fields={fields} />
      <FoldedFields
        title="Model, prompt and limits"
        fields={fields}
        keys={['agent_config', 'prompt', 'max_iterations']}
      />
    </>
  );
}
