import { Component, type ReactNode } from "react";
import { Notice } from "../../ui/notice.tsx";

interface Props {
  readonly seq: number;
  readonly message: string;
  readonly children: ReactNode;
}

/** Shows a message in place of a moment that cannot be drawn, until another moment is chosen. */
export class MomentBoundary extends Component<Props, { readonly failedAt: number | null }> {
  override state: { readonly failedAt: number | null } = { failedAt: null };

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.seq });
  }

  static getDerivedStateFromError(): { failedAt: number } {
    return { failedAt: -1 };
  }

  static getDerivedStateFromProps(props: Props, state: { readonly failedAt: number | null }): { failedAt: null } | null {
    return state.failedAt !== null && state.failedAt >= 0 && state.failedAt !== props.seq ? { failedAt: null } : null;
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return <Notice tone="problem" title={this.props.message} />;
  }
}
