/** The start of the keys of all files of clicks. Policies name it, so that what else a bucket may have is out of reach. */
export const clickFolder = 'clicks/';
