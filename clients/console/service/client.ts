import { type LinksClient, type LinksClientOptions, linksClient } from '../../typescript/client.ts';
import { root } from './location.ts';
import { keyInUse, keyRefused } from './session.ts';

const baseUrl = `${location.origin}${root}`;

/** Sends a request with the key in use. If the key has ended, the request is retried with the next one. */
const signedFetch: typeof fetch = async (input, init) => {
  for (let attempt = 1; ; attempt++) {
    const key = await keyInUse(init?.signal);
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${key}`);
    const response = await fetch(input, { ...init, headers });
    if (response.status !== 401) return response;
    await keyRefused(key, attempt, init?.signal);
  }
};

/** The API client of the page. It neither waits nor retries: the page says what happens, and the person decides. */
export const api = linksClient({ baseUrl, apiKey: 'the key in use', fetch: signedFetch, waits: false });

/** The API with a key with which nobody has signed in yet. */
export const apiWith = (key: string) => linksClient({ baseUrl, apiKey: key, waits: false });

/** The API for work in the background, such as imports: it waits for limits, and retries what is safe to repeat. */
export const patientApi = (how: Pick<LinksClientOptions, 'wait' | 'onWait' | 'signal'>): LinksClient =>
  linksClient({ baseUrl, apiKey: 'the key in use', fetch: signedFetch, ...how });
