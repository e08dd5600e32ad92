import type { IaConfig } from '@balcao/contract/entities/config'
import type { Prova } from '@balcao/contract/entities/prova'
import { foldText } from '#rules/text.ts'

/** Checks the answers of the assistant to the questions of an exam. */

/** An answer of the assistant. `texto` is the text that the customer would read. */
export interface ExamAnswer {
  readonly tipo: 'texto' | 'transferir'
  readonly texto: string
}

export interface ExamVerdict {
  readonly passou: boolean
  /** In Portuguese, when it failed. */
  readonly motivo?: string
}

export type Expected = Pick<Prova, 'contem' | 'naoContem' | 'transfere'>

export function checkExamAnswer({ contem, naoContem, transfere }: Expected, answer: ExamAnswer): ExamVerdict {
  const said = foldAnswer(answer.texto)
  const missing = contem.filter((wanted) => !containsFolded(said, foldAnswer(wanted)))
  const forbidden = naoContem.filter((unwanted) => containsFolded(said, foldAnswer(unwanted)))
  const transferred = answer.tipo === 'transferir'
  const reasons = [
    ...(transfere === true && !transferred ? ['Devia chamar uma pessoa.'] : []),
    ...(transfere === false && transferred ? ['Não devia chamar uma pessoa.'] : []),
    ...(missing.length === 0 ? [] : [`Faltou ${quoted(missing)}.`]),
    ...(forbidden.length === 0 ? [] : [`Não podia dizer ${quoted(forbidden)}.`]),
  ]
  return reasons.length === 0 ? { passou: true } : { passou: false, motivo: reasons.join(' ') }
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', ')

// The counts are bounded, so that a long run of digits is read in linear time.
const SUM = /r\$ ?(\d[\d.]{0,14})(?:,(\d{1,2}))?/g
const WORDED_SUM = /(?<![\d.,])(\d[\d.]{0,14})(?:,(\d{1,2}))? (?:reais|real)\b/g
const BARE_HOUR = /\b(\d{1,2}) (as|a|ate) (?=\d{1,2}(?:h|:| horas?\b))/g
const TIME = /\b(\d{1,2})(?:h(?:rs?|s)?(\d\d)?(?![\da-z])|:(\d\d)(?: ?h)?(?![\da-z])| horas?\b)/g

/**
 * Form in which answers are compared: folded, `R$ 10,00`, `R$10` and `10 reais` alike, and `8h`, `08:00` and `8 horas`
 * alike.
 */
export function foldAnswer(text: string): string {
  return foldText(text)
    .replace(SUM, (_all, whole: string, cents = '') => plainSum(whole, cents))
    .replace(WORDED_SUM, (_all, whole: string, cents = '') => plainSum(whole, cents))
    .replace(BARE_HOUR, '$1h $2 ')
    .replace(TIME, (_all, hour: string, afterH = '', afterColon = '') => {
      return `${Number(hour)}:${afterH || afterColon || '00'}`
    })
}

function plainSum(whole: string, cents: string): string {
  const fraction = cents.padEnd(2, '0')
  return `r$${whole.replaceAll('.', '')}${fraction === '00' ? '' : `,${fraction}`}`
}

/** A number of `wanted` is not found within a longer one: `r$10` is not in `r$100` or `r$10,50`. */
function containsFolded(said: string, wanted: string): boolean {
  for (let at = said.indexOf(wanted); at !== -1; at = said.indexOf(wanted, at + 1)) {
    if (wanted === '') return true
    const before = said.slice(Math.max(0, at - 2), at)
    const after = said.slice(at + wanted.length, at + wanted.length + 2)
    const cutsBefore = /^\d/.test(wanted) && /\d[.,:]?$/.test(before)
    const cutsAfter = /\d$/.test(wanted) && /^[.,:]?\d/.test(after)
    if (!cutsBefore && !cutsAfter) return true
  }
  return false
}

/** The settings on which the answers of an exam depend. */
export function examSettings(ia: IaConfig): Partial<IaConfig> {
  const { ativa: _ativa, apiKey: _key, chaves: _keys, exigirProva: _exam, ...rest } = ia
  const { orcamentoCentavosMes: _budget, transcrever: _voice, ...asked } = rest
  return asked
}
