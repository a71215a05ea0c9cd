/** A program that uses a client against a new workspace, and reports what it saw. */
export type Use = (service: { readonly baseUrl: string; readonly key: string; readonly domain: string }) => Promise<Seen>;

type Seen = {
  readonly hadPassword: boolean;
  readonly hasPassword: boolean;
  readonly title: string | null;
  readonly updated: number;
  readonly failures: readonly (string | undefined)[];
  readonly pages: readonly (readonly string[])[];
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly fields: readonly { readonly path: string; readonly code: string }[] | undefined;
};

/** What each of these programs must report. Its three links are on two pages. */
export const expected: Omit<Seen, 'pages'> = {
  hadPassword: true,
  hasPassword: false,
  title: 'A title',
  updated: 2,
  failures: ['not_found', 'destination_scheme'],
  code: 'slug_taken',
  retryable: false,
  fields: [{ path: '/color', code: 'invalid_color' }],
};
