import { useConfig } from '@renderer/parts/step-panel/form-context';
import {
  ConfigFields,
  ConversationFields,
  FoldedFields,
  type OwnPanelProps,
} from '@renderer/parts/step-panel/own-panel';

/** Settings of the instruction, its agent, the re-prompts and the outputs. */
export function AgentTaskPanel({ fields }: OwnPanelProps) {
  const { valueAt, has } = useConfig();
  const prompts = valueAt('re_prompts');
  // Without re-prompts there is one response, so nothing to separate.
  const separates = (Array.isArray(prompts) && prompts.length > 0) || has('separate_outputs');
  return (
    <>
      <ConfigFields fields={fields} keys={['instruction', 'attachments', 'acp_profile_id', 're_prompts']} />
      {separates && <ConfigFields fields={fields} keys={['separate_outputs']} />}
      <ConfigFields fields={fields} keys={['named_outputs']} />
      <ConversationFields fields={fields} />
      <FoldedFields
        title="Model, prompt and limits"
        fields={fields}
        keys={['agent_config', 'prompt', 'max_iterations']}
      />
    </>
  );
}
