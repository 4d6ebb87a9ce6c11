import { useConfig } from '@areas/workflows/view/parts/step-panel/form-context';
import { ConfigFields, type OwnPanelProps } from '@areas/workflows/view/parts/step-panel/own-panel';
import { Field as Labelled, Segments } from '@renderer/ui/controls/field';

type Way = 'prompt' | 'body';
type Session = 'fresh' | 'shared';

/** Settings of a pass, of the loop's end, and of questions between passes. */
export function LoopPanel({ fields }: OwnPanelProps) {
  const { valueAt, has, set, unset, edit, disabled } = useConfig();
  const way: Way = has('body') ? 'body' : 'prompt';
  const choose = (next: Way) => {
    if (disabled || next === way) return;
    const prompt = valueAt('prompt');
    const written = valueAt('body', 'steps', 0, 'config', 'instruction');
    const only = valueAt('body', 'steps', 1) === undefined;
    // The loop names the agent of a prompt; a body's steps name their own.
    const gone = next === 'body' ? ['prompt', 'acp_profile_id', 'agent_config', 'session'] : ['body'];
    const task = { id: 'pass', type: 'step.agent_task', config: { instruction: prompt ?? '' } };
    const fresh =
      next === 'body' ? set('body', { steps: [task] }) : set('prompt', only ? (written ?? '') : '');
    void edit([...gone.filter(has).map(unset), fresh]);
  };
  const session: Session = valueAt('session') === 'shared' ? 'shared' : 'fresh';
  return (
    <>
      <Labelled label="Content of a pass">
        {() => (
          <Segments<Way>
            label="Content of a pass"
            value={way}
            options={[
              { value: 'prompt', label: 'One prompt' },
              { value: 'body', label: 'Several steps' },
            ]}
            onChange={choose}
          />
        )}
      </Labelled>
      {way === 'body' ? (
        <ConfigFields fields={fields} keys={['body']} labels={{ body: 'Steps of a pass' }} />
      ) : (
        <>
          <ConfigFields fields={fields} keys={['prompt', 'acp_profile_id', 'agent_config']} />
          <Labelled label="Conversation">
            {() => (
              <Segments<Session>
                label="Conversation"
                value={session}
                options={[
                  { value: 'fresh', label: 'A new one for each pass' },
                  { value: 'shared', label: 'One for all passes' },
                ]}
                onChange={(next) => {
                  if (!disabled) void edit([next === 'shared' ? set('session', next) : unset('session')]);
                }}
              />
            )}
          </Labelled>
        </>
      )}
      <ConfigFields
        fields={fields}
        keys={['max_iterations', 'until', 'until_field', 'until_command', 'interactive']}
      />
      {(valueAt('interactive') === true || has('gate_message')) && (
        <ConfigFields fields={fields} keys={['gate_message']} />
      )}
    </>
  );
}
