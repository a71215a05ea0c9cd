/** The start of the keys of all files of clicks. Policies name it, so that what else a bucket may have is out of reach. */
export const clickFolder = 'clicks/';
/** The start of the keys of rankings that pages of lists share. The bucket deletes them after a day or two. */
export const rankingFolder = 'rankings/';
