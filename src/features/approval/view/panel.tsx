import { isMap } from '@areas/workflows/contract/change';
import { Choices } from '@areas/workflows/view/parts/step-panel/fields/pickers';
import { SchemaField } from '@areas/workflows/view/parts/step-panel/fields/schema-field';
import { useConfig, useSetValue, useStepForm } from '@areas/workflows/view/parts/step-panel/form-context';
import { ConfigFields, type OwnPanelProps } from '@areas/workflows/view/parts/step-panel/own-panel';
import { Field as Labelled, Segments } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';

const TWO = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

type Way = 'approve' | 'decisions';

/** Settings of the question, its answers, and what happens without an answer. */
export function ApprovalPanel({ fields }: OwnPanelProps) {
  const { has, set, unset, edit, disabled } = useConfig();
  const way: Way = has('decisions') ? 'decisions' : 'approve';
  const choose = (next: Way) => {
    if (disabled || next === way) return;
    // Decisions replace approve and reject, with their settings.
    const gone = next === 'decisions' ? ['on_reject', 'capture_response'].filter(has) : ['decisions'];
    void edit([...gone.map(unset), ...(next === 'decisions' ? [set('decisions', TWO)] : [])]);
  };
  return (
    <>
      <ConfigFields fields={fields} keys={['message']} />
      <Labelled label="Kind of answer">
        {() => (
          <Segments<Way>
            label="Kind of answer"
            value={way}
            options={[
              { value: 'approve', label: 'Approve or reject' },
              { value: 'decisions', label: 'One of several decisions' },
            ]}
            onChange={choose}
          />
        )}
      </Labelled>
      {way === 'decisions' ? (
        <ConfigFields fields={fields} keys={['decisions']} />
      ) : (
        <ConfigFields
          fields={fields}
          keys={['capture_response', 'on_reject', 'max_attempts']}
          labels={{
            capture_response: 'The answer is the output',
            max_attempts: 'Maximum rounds of rework',
          }}
        />
      )}
      <ConfigFields fields={fields} keys={['reminder_minutes']} />
      <Expiry fields={fields} />
    </>
  );
}

/** The automatic answer after some time. */
function Expiry({ fields }: OwnPanelProps) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const set = useSetValue(['config', 'expires', 'outcome']);
  const setAll = useSetValue(['config', 'expires']);
  const group = fields.find(({ key }) => key === 'expires');
  const minutes =
    group?.of.kind === 'group' ? group.of.fields.find(({ key }) => key === 'minutes') : undefined;
  const outcome = valueAt(['config', 'expires', 'outcome']);
  const decisions = valueAt(['config', 'decisions']);
  const captures = valueAt(['config', 'capture_response']) === true;
  const decided = (Array.isArray(decisions) ? decisions : []).flatMap((one) =>
    isMap(one) && typeof one.id === 'string'
      ? [{ value: one.id, label: typeof one.label === 'string' ? one.label : one.id }]
      : [],
  );
  const plain = [
    ...(captures ? [] : [{ value: 'approve', label: 'Approved' }]),
    { value: 'reject', label: 'Rejected' },
  ];
  const options = [
    ...(decisions === undefined ? plain : decided),
    { value: 'fail', label: 'The step fails' },
  ];
  const [problem] = [...problemsAt(['config', 'expires', 'outcome']), ...problemsAt(['config', 'expires'])];
  return (
    <Fold head={<span>Without an answer</span>} open={valueAt(['config', 'expires']) !== undefined}>
      {minutes !== undefined && (
        <SchemaField
          field={{ ...minutes, label: 'Minutes until the default answer', required: false }}
          path={['config', 'expires', 'minutes']}
        />
      )}
      <Labelled label="Default answer" error={problem?.message}>
        {(ids) => (
          <Choices
            ids={ids}
            disabled={disabled}
            options={options}
            required={false}
            none={'Wait indefinitely'}
            value={typeof outcome === 'string' ? outcome : ''}
            onChange={(next) => void (next === '' ? setAll(undefined) : set(next))}
          />
        )}
      </Labelled>
    </Fold>
  );
}
