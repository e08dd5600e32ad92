/** Texts that are slow to read, for functions on the way of a message. */

const LARGEST = 65_536
const LONGEST_MS = 200
/** Below it clock, compiler and garbage collection decide. */
const FLOOR_MS = 100
const GROWTH_MAX = 3
const ROUNDS = 3
/** A busy machine spoils single measurements, and a slow function fails each of them. */
const ATTEMPTS = 3

/** Signs of which a text consists. Many expressions look for a run of one of them. */
const SIGNS: readonly string[] = [
  ...[' ', '\n', '\t', '\r\n', '\u00a0', '\u200d', '\u200f', '\ufe0f', '\u20e3', '\ufe0f\u20e3', '\ud800', '\0'],
  ...['\u0301', '\u0316\u0301', 'a\u0301', 'á', '한', 'Ộ', '🇧🇷', '👨\u200d', '1\ufe0f\u20e3', '🔟'],
  ...['a', 'aA1', 'a ', 'e a ', '0', '1 ', '1,', '11987654321 ', '11 9', '+', '(', '(+', '-', '.', ',', ', ', '1.1'],
  ...[
    '@',
    'a@',
    'a@a.',
    'a.',
    '_',
    '*',
    '**',
    '*a',
    '~',
    '`',
    '```',
    '```tool_code',
    '"',
    "'",
    '[',
    '[[',
    ']]',
    '{',
    '{{',
  ],
  ...[
    '{nome',
    '{nome}',
    ', {nome}',
    '{posicao',
    '/',
    '\\',
    '%',
    '=',
    '=1',
    ';',
    ':',
    '<',
    '<ctrl',
    '&#',
    '#',
    '?',
    '!',
  ],
  ...[
    'http://',
    'https://a.',
    'TEL',
    'TEL\n',
    'TEL;',
    'item1.',
    'FN:',
    'BEGIN:VCARD\n',
    'default_api.',
    'não ',
    'parar ',
  ],
]

const textsOf = (size: number, sign: string): readonly string[] => {
  const run = sign.repeat(Math.ceil(size / sign.length)).slice(0, size)
  return [run, `${run}x`, `x${run}`]
}

function timeOf(work: () => unknown): number {
  const start = Date.now()
  work()
  return Date.now() - start
}

function isSlow(read: (text: string) => unknown, half: string, whole: string): boolean {
  // Alternates, so that a pause of the machine meets both sizes.
  const times = Array.from({ length: ROUNDS }, () => [timeOf(() => read(half)), timeOf(() => read(whole))] as const)
  const [halfMs, wholeMs] = [Math.min(...times.map(([ms]) => ms)), Math.min(...times.map(([, ms]) => ms))]
  return wholeMs > LONGEST_MS || wholeMs > Math.max(FLOOR_MS, GROWTH_MAX * halfMs)
}

/** Returns the texts of 65,536 signs that take more than 200 ms, or more than three times the time of their half. */
export function slowTexts(read: (text: string) => unknown): string[] {
  const slow: string[] = []
  for (const sign of SIGNS) {
    const halves = textsOf(LARGEST / 2, sign)
    textsOf(LARGEST, sign).forEach((text, index) => {
      // Most texts are read at once, and their growth needs no measure.
      let found = timeOf(() => read(text)) >= FLOOR_MS
      for (let attempt = 1; found && attempt <= ATTEMPTS; attempt += 1) found = isSlow(read, halves[index] ?? '', text)
      if (found) slow.push(`${JSON.stringify(sign)} in form ${index}`)
    })
  }
  return slow
}
