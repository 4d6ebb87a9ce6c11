import { useReadable } from '../client/hooks';
import { registry } from '../client/window';
import { Button, type ButtonProps, IconButton, type IconButtonProps } from '../ui/button';

/** The key caps of an action, as the operator has them now. */
export function useCaps(id: string): readonly string[] {
  useReadable(registry.version);
  return registry.capsOf(id);
}

/** A button that shows the key of its action. */
export function ActButton({ action, ...rest }: { action: string } & Omit<ButtonProps, 'caps'>) {
  return <Button caps={useCaps(action)} onClick={() => registry.run(action)} {...rest} />;
}

export function ActIcon({ action, ...rest }: { action: string } & Omit<IconButtonProps, 'caps'>) {
  return <IconButton caps={useCaps(action)} onClick={() => registry.run(action)} {...rest} />;
}
