import type { Prova, ProvaInput } from '@balcao/contract/entities/prova'
import type { FormErrors } from '#shared/form/use-config-form.ts'

type Hands = 'tanto' | 'sim' | 'nao'

/** A question as its form holds it: one expected text in each line. */
export interface ProvaValues {
  readonly pergunta: string
  readonly contem: string
  readonly naoContem: string
  readonly transfere: Hands
  readonly obrigatoria: boolean
}

const HANDS: Readonly<Record<Hands, boolean | undefined>> = { tanto: undefined, sim: true, nao: false }

export function openProva(prova: Prova | null): ProvaValues {
  if (prova === null) return { pergunta: '', contem: '', naoContem: '', transfere: 'tanto', obrigatoria: false }
  const { pergunta, contem, naoContem, transfere, obrigatoria } = prova
  const hands = transfere === undefined ? 'tanto' : transfere ? 'sim' : 'nao'
  return { pergunta, contem: contem.join('\n'), naoContem: naoContem.join('\n'), transfere: hands, obrigatoria }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function closeProva({ pergunta, contem, naoContem, transfere, obrigatoria }: ProvaValues): ProvaInput {
  const hands = HANDS[transfere]
  return {
    ...{ pergunta: pergunta.trim(), contem: linesOf(contem), naoContem: linesOf(naoContem) },
    ...(hands === undefined ? {} : { transfere: hands }),
    ...{ obrigatoria, origem: 'propria' },
  }
}

const LINES_MAX = 20
const LINE_MAX = 200

function linesError(text: string): string | null {
  const lines = linesOf(text)
  if (lines.length > LINES_MAX) return `Use até ${LINES_MAX} linhas.`
  return lines.some((line) => line.length > LINE_MAX) ? `Cada linha tem até ${LINE_MAX} caracteres.` : null
}

export function provaErrors({ pergunta, contem, naoContem, transfere }: ProvaValues): FormErrors {
  const expects = linesOf(contem).length > 0 || linesOf(naoContem).length > 0 || transfere !== 'tanto'
  const wrongContem = linesError(contem) ?? (expects ? null : 'Diga o que a resposta precisa ter.')
  const wrongNaoContem = linesError(naoContem)
  return {
    ...(pergunta.trim() === '' ? { pergunta: 'Escreva a pergunta.' } : {}),
    ...(wrongContem === null ? {} : { contem: wrongContem }),
    ...(wrongNaoContem === null ? {} : { naoContem: wrongNaoContem }),
  }
}

/** The ready questions forbid many texts. The form shows them all. */
const TEXTS_SHOWN = 3

function quotedList(texts: readonly string[], last: 'e' | 'ou'): string {
  const shown = texts.slice(0, texts.length > TEXTS_SHOWN + 1 ? TEXTS_SHOWN : texts.length).map((text) => `“${text}”`)
  const rest = texts.length - shown.length
  const parts = rest === 0 ? shown : [...shown, `mais ${rest} textos`]
  return parts.length === 1 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`
}

/** The conditions of a right answer, such as `precisa ter “R$ 6,00” · não chama pessoa`. */
export function expectationOf({ contem, naoContem, transfere }: Prova): string {
  return [
    ...(contem.length > 0 ? [`precisa ter ${quotedList(contem, 'e')}`] : []),
    ...(naoContem.length > 0 ? [`não pode ter ${quotedList(naoContem, 'ou')}`] : []),
    ...(transfere === undefined ? [] : [transfere ? 'chama uma pessoa' : 'não chama pessoa']),
  ].join(' · ')
}

export const SOURCE_LABEL: Readonly<Record<Prova['origem'], string>> = {
  gerada: 'Gerada',
  conversa: 'De uma conversa',
  propria: 'Sua',
}
