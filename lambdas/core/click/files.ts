/** The key prefix of all files of clicks. IAM policies name it, so that functions reach nothing else in the bucket. */
export const clickFolder = 'clicks/';
/** The key prefix of rankings that pages of lists share. The bucket deletes them after a day or two. */
export const rankingFolder = 'rankings/';
