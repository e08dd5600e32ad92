/** Numbers in digits and words. */

const SMALL =
  'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove'
const TENS = 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'
const HUNDREDS = 'cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos'

const VALUES = new Map<string, number>([
  ...SMALL.split(' ').map((word, at) => [word, at] as const),
  ...TENS.split(' ').map((word, at) => [word, (at + 2) * 10] as const),
  ...HUNDREDS.split(' ').map((word, at) => [word, (at + 1) * 100] as const),
  ...(
    [
      ...[
        ['uma', 1],
        ['duas', 2],
        ['catorze', 14],
        ['cento', 100],
        ['duzentas', 200],
        ['trezentas', 300],
        ['mil', 1000],
      ],
    ] as const
  ).map(([word, value]) => [String(word), Number(value)] as const),
])

export const spelledValue = (word: string): number | undefined => VALUES.get(word)

/** True if the second number goes on the first: 'vinte e cinco', 'cento e dez', but not 'doze e noventa'. */
export function continuesNumber(first: number, second: number): boolean {
  if (second === 1000) return first < 1000
  if (first >= 1000 && first % 1000 === 0) return second < 1000
  const rest = first % 1000
  if (rest >= 100 && rest % 100 === 0) return second < 100
  return rest % 100 >= 20 && rest % 10 === 0 && second > 0 && second < 10
}

export const addNumber = (first: number, second: number): number =>
  second === 1000 ? Math.max(1, first) * 1000 : first + second

/** '1.234,56', '12,50', '12.50' and '1.200' as a number. */
export function parseDigits(raw: string): number {
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(raw)) return Number(raw.replaceAll('.', '').replace(',', '.'))
  return Number(raw.replace(',', '.'))
}
