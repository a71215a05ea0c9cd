/** A browser without pages: it keeps cookies by host, and follows no redirect by itself. */
export function newJar() {
  const cookies = new Map<string, Map<string, string>>();
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { hostname } = new URL(url);
    const jar = cookies.get(hostname) ?? new Map<string, string>();
    cookies.set(hostname, jar);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('Cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split('; ');
      const [name = '', ...value] = pair.split('=');
      const isGone = attributes.some((attribute) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(attribute));
      if (isGone) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return response;
  };
  return { send, cookies };
}

export type Jar = ReturnType<typeof newJar>;

/** The target of a redirect. @throws Error if the response has none */
export function targetOf(response: Response): string {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status} leads nowhere`);
  return new URL(location, response.url).href;
}

/**
 * Goes to the provider of `bin/local/provider.ts`, and chooses somebody there.
 *
 * @param location where `GET /sign-in` leads.
 * @param subject null to choose nobody.
 * @returns the address to which the provider sends the person back.
 */
export async function chooseAtProvider({ send }: Jar, location: string, subject: string | null): Promise<string> {
  const page = targetOf(await send(location));
  const resume = targetOf(await send(`${page}?${subject === null ? '' : `as=${subject}`}`, { method: 'POST' }));
  return targetOf(await send(resume));
}

/** Signs somebody in, as a browser would. @returns the response of the callback */
export async function signInAs(jar: Jar, baseUrl: string, subject: string, returnTo = '/console'): Promise<Response> {
  const begun = await jar.send(`${baseUrl}/sign-in?return=${encodeURIComponent(returnTo)}`);
  return jar.send(await chooseAtProvider(jar, targetOf(begun), subject));
}

/** Signs out at the provider, too. @param continueAt where `DELETE /sign-ins/current` leads. @returns its last response */
export async function signOutAtProvider({ send }: Jar, continueAt: string): Promise<Response> {
  const page = await (await send(continueAt)).text();
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
  return send(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) });
}
