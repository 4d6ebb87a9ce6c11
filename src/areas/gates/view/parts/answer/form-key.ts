/** Enter alone inserts a line or does nothing: it never decides. */
export function onFormKey(event: React.KeyboardEvent, onSend: () => void, onClose: () => void): void {
  if (event.key === 'Escape') onClose();
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
