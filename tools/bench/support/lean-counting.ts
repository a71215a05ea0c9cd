// What `counting.ts` needs of the function that counts clicks, in one bundle, made as the function's own is.

export * as transport from '#transport';
export { handler } from '../../../lambdas/events/count-clicks.ts';
export { intercept } from '../../../lambdas/store/table/interceptors.ts';
