import {
  ConfigFields,
  ConversationFields,
  FoldedFields,
  type OwnPanelProps,
} from '@areas/workflows/view/parts/step-panel/own-panel';

/** Settings of the instruction, its agent, the re-prompts and the outputs. */
export function AgentTaskPanel({ fields }: OwnPanelProps) {
  return (
    <>
      <ConfigFields
        fields={fields}
        keys={[
          'instruction',
          'attachments',
          'acp_profile_id',
          're_prompts',
          'separate_outputs',
          'named_outputs',
        ]}
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
