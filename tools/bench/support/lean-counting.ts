// What `counting.ts` needs of the function that counts clicks, in one bundle that is built like the function's own.

export * as transport from '#transport';
export { handler } from '../../../lambdas/events/count-clicks.ts';
export { intercept } from '../../../lambdas/store/table/interceptors.ts';
