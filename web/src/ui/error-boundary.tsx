import { Component, type ReactNode } from "react";
import { Notice } from "./notice.tsx";

interface Props {
  readonly message: string;
  readonly children: ReactNode;
}

/** Shows a message in place of a view that has thrown. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <Notice tone="problem" title={this.props.message} />;
  }
}
