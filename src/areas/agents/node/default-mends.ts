import type { ErrorCode, Problem } from '@contract/errors';
import { ownValue } from '@contract/own';

type ValidationCode = Extract<ErrorCode, `validation.${string}`>;

/** The remedy for problems without a more specific one. A new code does not compile without an entry. */
const MENDS: Readonly<Record<ValidationCode, string>> = {
  'validation.failed': 'correct what the message names, then check the file again',
  'validation.yaml': 'correct the YAML at this line; check indentation, quotes and colons',
  'validation.unknown_key':
    'remove the key, or correct its name; the editor under “File” completes known keys',
  'validation.unknown_step_type': 'use one of the step types that docs/workflows.md describes',
  'validation.config': 'correct the value; docs/workflows.md describes each field',
  'validation.duplicate_id': 'rename one of the two ids',
  'validation.cycle': 'remove one of the cables, lead back from a revise_out, or use a step.loop',
  'validation.unknown_port': 'use a port of the step',
  'validation.dangling_cable': 'remove the cable, or correct the id of the step',
  'validation.cable_type': 'connect ports of the same kind: signals with signals, data with data',
  'validation.reprompt_empty': 'write the re-prompt, or remove the entry',
  'validation.reprompt_too_many': 'join some of the re-prompts',
  'validation.completion_mode_removed': 'run muster migrate FILE',
  'validation.agent_missing': 'set acp_profile_id, or choose a default agent in Settings',
  'validation.coding_agents': 'list the agents that the coordination needs',
  'validation.profile_unknown': 'name a profile that exists, or add it with muster agents add',
  'validation.file_missing': 'correct the path, which is relative to the project folder, or add the file',
  'validation.session_continue': 'connect data_in with one step of the same profile, or remove session_mode',
  'validation.max_iterations': 'raise max_iterations above what one pass needs',
  'validation.named_output': 'give each named output its own label',
  'validation.output_format': 'correct the JSON Schema at this place',
  'validation.prompt_file': 'add the prompt file, or remove it from the project to use the one of Muster',
  'validation.prompt_placeholder': 'add the placeholder that is missing, or remove the unknown one',
  'validation.prompt_text': 'correct the text of the prompt file',
  'validation.switched_off': 'switch the step on to run it',
  'validation.condition': 'correct the condition at this column',
  'validation.reference':
    'correct the name in the reference, or write a backslash before the $ for plain text',
  'validation.reference_upstream': 'add a cable from that step, so that it comes before',
  'validation.reference_field': 'add the field to the output_format of that step, or correct its name',
  'validation.script_quotes': 'write the reference inside double quotes, or without quotes',
  'validation.script_eval': 'pass the reference as an argument of the program instead',
};

/** Adds the default remedy to a problem. */
export const withMend = (problem: Problem): Problem => {
  const mend = problem.mend ?? ownValue<string>(MENDS, problem.code);
  return mend === undefined ? problem : { ...problem, mend };
};
