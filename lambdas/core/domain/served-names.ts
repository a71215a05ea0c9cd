import type { CheckFailure } from './domain.ts';

/** A served name that stands for every name, as on a laptop. */
export const everyName = '*';

/**
 * Whether a host's visitors reach the redirect. A wildcard covers one label: `*.example.com` covers `go.example.com`,
 * but neither `example.com` nor `a.go.example.com`, which its certificate doesn't have either
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html#http-wildcard-custom-domain-names,
 * https://docs.aws.amazon.com/acm/latest/userguide/acm-certificate-characteristics.html). An exact custom domain, such
 * as the API's, overrides a wildcard.
 *
 * @param host canonical.
 * @param served names and wildcards. `!` before a name means that it belongs to another API, despite a wildcard.
 */
export function isServed(host: string, served: readonly string[]): boolean {
  if (served.includes(`!${host}`)) return false;
  return [everyName, host, host.replace(/^[^.]+/, '*')].some((name) => served.includes(name));
}

/** Checks that a custom domain of the stage covers the host. Without one, API Gateway refuses its visitors. */
export function checkServed(host: string, served: readonly string[]): CheckFailure {
  if (isServed(host, served)) return undefined;
  const message = served.includes(`!${host}`)
    ? `${host} is the name of the API, so visitors do not reach links there`
    : `no custom domain of the service covers ${host}, so visitors do not reach it; the operator must add one (shortDomains)`;
  return { code: 'domain_not_covered', message };
}
