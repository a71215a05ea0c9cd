/**
 * From this size on, in megabytes, Lambda gives a function a whole processor, and below it a proportional share:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const wholeProcessorMb = 1_769;

/**
 * The most that a new account allows a function, in megabytes:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const mostOfNewAccountsMb = 3_008;
