/** Icons, as paths in a square of 24. They are decoration: what they stand for is in a text or a label beside them. */
export const iconPaths = {
  alert: 'M12 9v4m0 4h.01M10.3 3.9 2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  check: 'm5 12 5 5L20 7',
  up: 'm6 15 6-6 6 6',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  links: 'M10 13a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 11a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M4.5 12h1M11.5 12h1M18.5 12h1',
  off: 'M5.6 5.6a9 9 0 1 0 12.8 0M12 3v9',
  open: 'M14 5h5v5M19 5l-9 9M17 14v5H5V7h5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20a7 7 0 0 1 14 0',
  stop: 'M5.6 5.6l12.8 12.8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  theme: 'M12 3v18M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM12 7h6M12 12h8.5M12 17h6',
} as const;

export type IconName = keyof typeof iconPaths;
