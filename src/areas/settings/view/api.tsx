import { useQuery, useReadable } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { refresh } from '@renderer/client/wire/query';
import { copyText } from '@renderer/parts/controls/copy';
import { Check, Field } from '@renderer/ui/controls/field';
import { useEffect } from 'react';
import { Saved } from './parts/saved';

/** The HTTP API on loopback, for the operator's scripts. */
export function Api() {
  const { httpApi } = useReadable(settings);
  const info = useQuery('app.info', {}).value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another setting means another address
  useEffect(() => void refresh('app.info'), [httpApi]);
  const setPort = async (text: string) => {
    const port = Number(text);
    return saveSettings({ httpApi: { ...httpApi, port: Number.isInteger(port) ? port : -1 } });
  };
  return (
    <div className="fields">
      <Field
        label="HTTP API"
        hint="Scripts can start runs, read them, answer gates and follow events. Only this machine can reach the API, with a token."
      >
        {(ids) => (
          <Check
            {...ids}
            checked={httpApi.enabled}
            onChange={(event) =>
              void saveSettings({ httpApi: { ...httpApi, enabled: event.target.checked } })
            }
          >
            Enable the HTTP API
          </Check>
        )}
      </Field>
      <Field label="Port" hint="0 picks a free port at each start.">
        {(ids) => (
          <Saved
            {...ids}
            className="short"
            inputMode="numeric"
            value={String(httpApi.port)}
            onSave={setPort}
          />
        )}
      </Field>
      {info?.apiAddress && (
        <Field label="Address">
          {() => (
            <button
              type="button"
              className="text-button mono field-fixed"
              title="Copy the address"
              onClick={() => copyText(info.apiAddress ?? '', 'Copied the address')}
            >
              {info.apiAddress}
            </button>
          )}
        </Field>
      )}
    </div>
  );
}
