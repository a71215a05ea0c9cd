/** Icons, as paths in a square of 24. They are decoration: a text or a label beside them says the same. */
export const iconPaths = {
  alert: 'M12 9v4m0 4h.01M10.3 3.9 2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  check: 'm5 12 5 5L20 7',
  up: 'm6 15 6-6 6 6',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  domains: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  home: 'M4 11l8-7 8 7v9h-5v-6h-6v6H4Z',
  import: 'M12 3v12m-5-5 5 5 5-5M4 20h16',
  keys: 'M12 15a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM11 12l8-8m-4 4 3 3',
  links: 'M10 13a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 11a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M4.5 12h1M11.5 12h1M18.5 12h1',
  off: 'M5.6 5.6a9 9 0 1 0 12.8 0M12 3v9',
  open: 'M14 5h5v5M19 5l-9 9M17 14v5H5V7h5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM5 20a7 7 0 0 1 14 0',
  search: 'M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM21 21l-5-5',
  statistics: 'M3 21h18M7 17v-6M12 17V4M17 17v-9',
  stop: 'M5.6 5.6l12.8 12.8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  tags: 'M4 4h8l8.5 8.5-8 8L4 12ZM8 8h.01',
  templates: 'M4 4h16v5H4ZM4 13h7v7H4ZM15 13h5v7h-5Z',
  theme: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  todo: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  usage: 'M5 19a9 9 0 1 1 14 0M12 14l4-5',
  webhooks: 'M13 3 5 13.5h6L10 21l8.5-11H12Z',
} as const;

export type IconName = keyof typeof iconPaths;
