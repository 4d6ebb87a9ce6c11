import type { ActionId } from '../../client/actions';
import { useReadable } from '../../client/hooks';
import { keyCaps } from '../../client/keys/keys';
import { isMac, registry } from '../../client/wire/window';
import { Button, type ButtonProps, IconButton, type IconButtonProps } from '../../ui/controls/button';

/** The key that sends or saves a form. */
export const sendCaps: readonly string[] = keyCaps('mod+enter', isMac);

/** The key caps of an action, by the operator's current bindings; none while its key would do nothing. */
export function useCaps(id: ActionId): readonly string[] {
  useReadable(registry.version);
  return registry.isHandled(id) ? registry.capsOf(id) : [];
}

/** The same for a place that takes the press itself (`ActionRegistry.isWhole`). */
export function useOwnCaps(id: ActionId): readonly string[] {
  useReadable(registry.version);
  return registry.capsOf(id);
}

/** A button that shows the key of its action. */
export function ActButton({ action, ...rest }: { action: ActionId } & Omit<ButtonProps, 'caps'>) {
  return <Button caps={useCaps(action)} onClick={() => registry.run(action)} {...rest} />;
}

export function ActIcon({ action, ...rest }: { action: ActionId } & Omit<IconButtonProps, 'caps'>) {
  return <IconButton caps={useCaps(action)} onClick={() => registry.run(action)} {...rest} />;
}
