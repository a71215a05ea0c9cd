// What the sample workspace is about: a shop for garden tools, its newsletter, its events and its help pages.

export const tagsOfSample = [
  ['newsletter', '#0b6b70'],
  ['spring sale', '#1b6a3c'],
  ['social', '#7a3fb5'],
  ['print', '#8a4b00'],
  ['events', '#b3261e'],
  ['partners', '#3366ff'],
  ['help', '#556070'],
  ['press', '#c2185b'],
  ['jobs', '#00796b'],
  ['app', '#5d4037'],
] as const;

export const templatesOfSample = [
  { name: 'Newsletter', tag: 'newsletter', utmSource: 'newsletter', utmMedium: 'email', hideReferrer: true },
  { name: 'Poster in the window', tag: 'print', utmSource: 'poster', utmMedium: 'print', redirectType: 'PERMANENT_301' },
  { name: 'Sale of 14 days', tag: 'spring sale', utmCampaign: 'sale', expiresAfterDays: 14 },
] as const;

/** Kinds of links: their tags, where they lead, and what they are called. */
export const kinds = [
  { tags: ['newsletter'], path: 'journal', title: 'Journal: {}', campaign: 'newsletter' },
  { tags: ['spring sale', 'newsletter'], path: 'sale', title: 'Spring sale: {}', campaign: 'spring' },
  { tags: ['social'], path: 'shop', title: '{} in the shop', campaign: 'social' },
  { tags: ['print'], path: 'catalogue', title: 'Catalogue page: {}', campaign: 'catalogue' },
  { tags: ['events'], path: 'events', title: 'Workshop: {}', campaign: undefined },
  { tags: ['partners', 'social'], path: 'partners', title: '{} with our partners', campaign: 'partners' },
  { tags: ['help'], path: 'help', title: 'How to use {}', campaign: undefined },
  { tags: ['press'], path: 'press', title: 'Press release: {}', campaign: undefined },
  { tags: ['app', 'help'], path: 'app', title: 'In the app: {}', campaign: 'app' },
] as const;

export const things = [
  'Pruning shears',
  'Watering cans',
  'Raised beds',
  'Tomato seeds',
  'Compost bins',
  'Wheelbarrows',
  'Garden gloves',
  'Rain barrels',
  'Hedge trimmers',
  'Bird houses',
  'Herb spirals',
  'Greenhouses',
  'Bulb planters',
  'Leaf rakes',
  'Folding saws',
  'Plant labels',
  'Hose reels',
  'Cold frames',
  'Kneeling mats',
  'Trellises',
  'Bee hotels',
  'Seed trays',
  'Garden lights',
  'Potting benches',
  'Dibbers',
  'Cloches',
  'Apple pickers',
  'Lawn edgers',
  'Soil sieves',
  'Fruit cages',
  'Patio heaters',
  'Fire bowls',
  'Ladders',
  'Tool belts',
] as const;

/** Countries with their shares and languages. */
export const countries = [
  ['DE', 42, 'de'],
  ['AT', 17, 'de-AT'],
  ['CH', 11, 'de-CH'],
  ['GB', 8, 'en-GB'],
  ['FR', 7, 'fr'],
  ['US', 6, 'en-US'],
  ['NL', 4, 'nl'],
  ['IT', 3, 'it'],
  ['ES', 2, 'es'],
] as const;

/** Browsers by their user agents, with their shares. */
export const browsers = [
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36', 26],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    30,
  ],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36', 24],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15', 9],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0', 6],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    3,
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    2,
  ],
] as const;

/** Where visitors come from, with shares; undefined for those who come directly. */
export const referrers = [
  [undefined, 44],
  ['https://www.google.com/', 18],
  ['https://www.instagram.com/', 13],
  ['https://mail.google.com/', 8],
  ['https://www.pinterest.com/', 6],
  ['https://www.facebook.com/', 5],
  ['https://t.co/abc', 3],
  ['https://gardenforum.example.com/thread/17', 3],
] as const;
