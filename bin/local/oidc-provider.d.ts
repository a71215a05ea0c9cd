/** The parts of oidc-provider that the laptop's provider uses; its types are in a package that needs 15 others. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  type Context = { readonly oidc: { readonly result?: object; readonly client: Client; readonly session: Session } };
  type Client = { readonly clientId: string };
  type Session = { readonly accountId: string };
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: {
      readonly accountId: string;
      readonly clientId: string;
    }) => Grant;
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly uid: string }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
  class Check {
    static readonly REQUEST_PROMPT: true;
    static readonly NO_NEED_TO_PROMPT: false;
    constructor(reason: string, description: string, check: (context: Context) => boolean);
  }
  export const interactionPolicy: {
    readonly Check: typeof Check;
    base(): { get(name: string): { readonly checks: { add(check: Check): void } } };
  };
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(): (model: string) => object;
}
