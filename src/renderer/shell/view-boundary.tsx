import { messageOf } from '@contract/error-message';
import { Component, type ReactNode } from 'react';
import { Button } from '../ui/controls/button';
import { Note } from '../ui/layout/note';

interface Props {
  /** Another view clears the error. */
  readonly viewId: string;
  readonly children: ReactNode;
}

/** A view that fails must not break the window: it shows its error, and the others continue. */
export class ViewBoundary extends Component<Props, { failed: string | null }> {
  override state = { failed: null as string | null };

  static getDerivedStateFromError(cause: unknown) {
    return { failed: messageOf(cause) };
  }

  override componentDidUpdate(before: Props) {
    if (before.viewId !== this.props.viewId && this.state.failed !== null) this.setState({ failed: null });
  }

  override render() {
    if (this.state.failed === null) return this.props.children;
    return (
      <Note
        tone="failed"
        live="alert"
        acts={<Button onClick={() => window.location.reload()}>Reload the window</Button>}
      >
        This view failed: {this.state.failed}. Your runs are not affected.
      </Note>
    );
  }
}
