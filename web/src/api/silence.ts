/** Ends what nothing was heard of for a while: a request may take long over a slow network, but not without a sign. */
export class Silence {
  readonly #limitMs: number;
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#timer = setTimeout(() => this.#end(), limitMs);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly hear = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), this.#limitMs);
  };

  readonly over = (): void => clearTimeout(this.#timer);

  #end(): void {
    this.#stop.abort(new DOMException("The server has sent nothing for too long.", "TimeoutError"));
  }
}
