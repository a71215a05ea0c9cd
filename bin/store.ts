/** The store reads its table's name from the environment, so it is loaded once the target is known. */
export const openStore = async () => ({
  ...(await import('../lambdas/store/api-keys.ts')),
  ...(await import('../lambdas/store/destinations.ts')),
  ...(await import('../lambdas/store/disabled-links.ts')),
  ...(await import('../lambdas/store/domains.ts')),
  ...(await import('../lambdas/store/key-rotation.ts')),
  ...(await import('../lambdas/store/links.ts')),
  ...(await import('../lambdas/store/workspaces.ts')),
});
export type Store = Awaited<ReturnType<typeof openStore>>;
