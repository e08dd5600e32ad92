import { lerNumero } from './opcoes.ts'
import { dobrar, palavras } from './texto.ts'

export type Nota =
  | { readonly tipo: 'nota'; readonly nota: number }
  | { readonly tipo: 'outroNumero' }
  | { readonly tipo: 'texto' }

const ESTRELAS = /^\s*(?:⭐|★|🌟|\ufe0f|\s)+$/u
const FRACAO = /^(?:nota )?(\d{1,3}) ?(?:\/|de) ?(\d{1,3})[.!]*$/
const DECIMAL = /^(?:nota )?(\d{1,3})[.,](\d{1,3})[.!]*$/
const NEGATIVO = /^- ?\d+$/
const MAXIMA = 5

/** Words around a nota that do not change its meaning. */
const EM_VOLTA: ReadonlySet<string> = new Set(
  `nota estrela estrelas ponto pontos a e o eu minha dou dei daria vou dar foi muito mto bom boa otimo otima excelente perfeito perfeita
   show top nota atendimento obrigado obrigada obg valeu vlw parabens pelo pela ruim pessimo pessima com certeza`.split(
    /\s+/,
  ),
)

/** Reads `5`, `nota 5`, `cinco`, `5️⃣`, `5/5`, `5,0`, `5 estrelas`, `dou nota 5, obrigado`, `⭐⭐⭐⭐`. */
export function lerNota(texto: string): Nota {
  if (ESTRELAS.test(texto)) return deNumero(Array.from(texto.replace(/[\ufe0f\s]/g, '')).length)
  const dobrado = dobrar(texto)
  const fracao = FRACAO.exec(dobrado)
  if (fracao !== null) return Number(fracao[2]) === MAXIMA ? deNumero(Number(fracao[1])) : { tipo: 'outroNumero' }
  const decimal = DECIMAL.exec(dobrado)
  if (decimal !== null) return Number(decimal[2]) === 0 ? deNumero(Number(decimal[1])) : { tipo: 'outroNumero' }
  if (NEGATIVO.test(dobrado)) return { tipo: 'outroNumero' }
  const direto = lerNumero(texto)
  if (direto !== null) return deNumero(direto)
  const [unica, ...outras] = palavras(texto).filter((palavra) => !EM_VOLTA.has(palavra))
  const numero = unica === undefined || outras.length > 0 ? null : lerNumero(unica)
  return numero === null ? { tipo: 'texto' } : deNumero(numero)
}

function deNumero(numero: number): Nota {
  return numero <= MAXIMA ? { tipo: 'nota', nota: numero } : { tipo: 'outroNumero' }
}
