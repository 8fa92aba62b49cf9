/** Judges by meaning what the words of a question do not reach; always a server that the operator named. */
export interface SemanticRanker {
  /** Its kind and model, such as `rerank bge-reranker-v2-m3`: a run is told it at its start, and no other one may stand in for it. */
  readonly name: string;
  /**
   * How well each text answers the query: one finite number for each, in the order of the texts. Higher is better; the scale is the
   * server's own and says nothing across queries. Sends the query and the texts as they are, all of them, to one server.
   * @throws DossierError with a code of the ledger where not every text was scored; the reason of the signal
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}
