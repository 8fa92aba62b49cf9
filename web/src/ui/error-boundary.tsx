import { Component, type ReactNode } from "react";
import { atBase } from "../api/base-path.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface Props {
  readonly message: string;
  /** Names the button that loads the page again; without it there is none. */
  readonly reload?: string;
  /** Said while the server does not answer, when a reload would lose the page. */
  readonly unreachable?: string;
  /** Another value shows the children again. */
  readonly subject?: unknown;
  readonly children: ReactNode;
}

const REACH_MS = 10_000;

/** Shows a message in place of a view that has thrown. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean; readonly silent: boolean }> {
  override state = { failed: false, silent: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ subject }: Props): void {
    if (this.state.failed && subject !== this.props.subject) this.setState({ failed: false });
  }

  /** A part of the page that could not be loaded, offline or after an update of the server, is loaded by a reload only. */
  readonly #reload = (): void => {
    const limit = AbortSignal.timeout(REACH_MS);
    fetch(atBase("/healthz"), { cache: "no-store", signal: limit }).then(
      () => location.reload(),
      () => this.setState({ silent: true }),
    );
  };

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice tone="problem" title={this.props.message}>
        {this.state.silent && <p>{this.props.unreachable}</p>}
        {this.props.reload !== undefined && <Button onPress={this.#reload}>{this.props.reload}</Button>}
      </Notice>
    );
  }
}
