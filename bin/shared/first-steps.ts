// What a command tells somebody who has just got a workspace.

/**
 * The address of a workspace's console.
 *
 * @param apiKey signs in. Only for a browser on this machine, because the address contains it.
 */
export const consoleAddressOf = (baseUrl: string, workspaceId: string, apiKey?: string): string =>
  `${baseUrl}/console/${workspaceId}/links${apiKey === undefined ? '' : `#key=${apiKey}`}`;

/**
 * A line for `sh` that calls the API and needs only curl.
 *
 * @param body makes it a POST.
 * @param options options of curl, each followed by a space.
 */
export const curlLine = (
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  path: string,
  body?: object,
  options = '',
): string =>
  `curl -sS -w '\\n' ${options}${body ? `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ` : ''}` +
  `-H 'Authorization: Bearer ${apiKey}' ${baseUrl}/api/v1${path}`;
