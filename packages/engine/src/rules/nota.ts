import { parseNumberText } from './opcoes.ts'
import { foldText, wordsOf } from './text.ts'

export type Nota =
  | { readonly tipo: 'nota'; readonly nota: number }
  | { readonly tipo: 'outroNumero' }
  | { readonly tipo: 'texto' }

// White space before the first star has one reading only, which keeps the test linear in long texts.
const STARS = /^(?:\ufe0f|\s)*[⭐★🌟](?:⭐|★|🌟|\ufe0f|\s)*$/u
const FRACTION = /^(?:nota )?(\d{1,3}) ?(?:\/|de) ?(\d{1,3})[.!]*$/
const DECIMAL = /^(?:nota )?(\d{1,3})[.,](\d{1,3})[.!]*$/
const NEGATIVE = /^- ?\d+$/
const NOTA_MAX = 5

/** Words around a nota that do not change its meaning. */
const FILLER_WORDS: ReadonlySet<string> = new Set(
  `nota estrela estrelas ponto pontos a e o eu minha dou dei daria vou dar foi muito mto bom boa otimo otima excelente perfeito perfeita
   show top nota atendimento obrigado obrigada obg valeu vlw parabens pelo pela ruim pessimo pessima com certeza`.split(
    /\s+/,
  ),
)

/** Reads `5`, `nota 5`, `cinco`, `5️⃣`, `5/5`, `5,0`, `5 estrelas`, `dou nota 5, obrigado`, `⭐⭐⭐⭐`. */
export function parseNota(text: string): Nota {
  if (STARS.test(text)) return notaFromNumber(Array.from(text.replace(/[\ufe0f\s]/g, '')).length)
  const dobrado = foldText(text)
  const fracao = FRACTION.exec(dobrado)
  if (fracao !== null)
    return Number(fracao[2]) === NOTA_MAX ? notaFromNumber(Number(fracao[1])) : { tipo: 'outroNumero' }
  const decimal = DECIMAL.exec(dobrado)
  if (decimal !== null) return Number(decimal[2]) === 0 ? notaFromNumber(Number(decimal[1])) : { tipo: 'outroNumero' }
  if (NEGATIVE.test(dobrado)) return { tipo: 'outroNumero' }
  const direct = parseNumberText(text)
  if (direct !== null) return notaFromNumber(direct)
  const [unica, ...others] = wordsOf(text).filter((word) => !FILLER_WORDS.has(word))
  const numero = unica === undefined || others.length > 0 ? null : parseNumberText(unica)
  return numero === null ? { tipo: 'texto' } : notaFromNumber(numero)
}

function notaFromNumber(numero: number): Nota {
  return numero <= NOTA_MAX ? { tipo: 'nota', nota: numero } : { tipo: 'outroNumero' }
}
