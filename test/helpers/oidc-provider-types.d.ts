declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ prompt: { name: string }; params: object }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
