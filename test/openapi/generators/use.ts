/** A program that uses a generated client against a new workspace, and reports what it saw. */
export type Use = (service: { readonly baseUrl: string; readonly key: string; readonly domain: string }) => Promise<{
  readonly hadPassword: boolean;
  readonly hasPassword: boolean;
  readonly title: string | null;
  readonly updated: number;
  readonly failures: readonly (string | undefined)[];
  readonly pages: readonly (readonly string[])[];
  readonly code: string | undefined;
  readonly retryable: boolean;
  readonly fields: readonly { readonly path: string; readonly code: string }[] | undefined;
}>;
