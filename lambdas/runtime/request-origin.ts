/** The parts of a request that tell its origin. */
type OriginEvent = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: { readonly domainName?: string | undefined };
};

/** The origin that the client called, such as `https://abc.execute-api.eu-central-1.amazonaws.com`. */
export const originOf = ({ headers: sent, requestContext }: OriginEvent): string =>
  `${sent['X-Forwarded-Proto'] ?? 'https'}://${sent.Host ?? sent.host ?? requestContext.domainName}`;
