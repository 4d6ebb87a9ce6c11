import type { SessionChoices } from '@areas/sessions/contract/session';
import type { SessionSettings } from '../connection/wire';

/** The modes and models that an agent lists, in either of the protocol's two ways. */
export function choicesOf({ modes, models, configOptions }: SessionSettings): SessionChoices {
  const options = (category: string): readonly string[] =>
    configOptions?.find((one) => one.category === category || one.id === category)?.options ?? [];
  const listed = {
    modes: modes?.availableModes.map(({ id }) => id) ?? [],
    models: models?.availableModels.map(({ modelId }) => modelId) ?? [],
  };
  return {
    modes: [...new Set([...listed.modes, ...options('mode')])],
    models: [...new Set([...listed.models, ...options('model')])],
  };
}
