import { fillQueuePlace, type QueuePlace } from '#atendimento/waiting-estimate.ts'
import type { BotContext } from '#context.ts'
import type { EventContato } from '#event.ts'
import { formatLocalDate, formatLocalTime } from './local-format.ts'
import { describeHorario, localMinuteAt } from './horario.ts'

interface PlaceholderValues {
  readonly context: BotContext
  readonly contato: EventContato
  readonly now: number
  readonly protocolo: string
  readonly fila?: QueuePlace
  readonly link?: string
}

const NAME_AT_START = /^\{nome\}[,!]? ?/gm
const PLACEHOLDER = /(,? ?)\{(nome|telefone|empresa|linha|protocolo|data|hora|horario|link)\}/g

/**
 * Fills `{nome}`, `{telefone}`, `{empresa}`, `{linha}`, `{protocolo}`, `{data}`, `{hora}`, `{horario}` and `{link}` in one pass, and the
 * place in the queue if it is known. Values are not filled again and other braces stay. An unknown name is removed with
 * its comma: 'Olá, {nome}!' gives 'Olá!'.
 */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  const text = values.fila === undefined ? template : fillQueuePlace(template, values.fila)
  return replacePlaceholders(text, PLACEHOLDER, (name) => placeholderValue(name, values))
}

/** Replaces the matches of `pattern`, whose groups are the text before and the name. Removes an empty `{nome}`. */
export function replacePlaceholders(text: string, pattern: RegExp, valueOf: (name: string) => string): string {
  if (!text.includes('{')) return text
  const withoutName = valueOf('nome') === ''
  return (withoutName ? text.replace(NAME_AT_START, '') : text).replace(
    pattern,
    (_whole, before: string, name: string) => {
      const value = valueOf(name)
      return name === 'nome' && value === '' ? '' : `${before}${value}`
    },
  )
}

function placeholderValue(name: string, { context, contato, now, protocolo, link }: PlaceholderValues): string {
  const { horario } = context.config.atendimento
  switch (name) {
    case 'nome':
      return contato.nome.trim()
    case 'telefone':
      return contato.telefone
    case 'empresa':
      return context.empresa
    case 'linha':
      return context.linha ?? ''
    case 'protocolo':
      return protocolo
    case 'data':
      return formatLocalDate(localMinuteAt(now, horario.fuso).data)
    case 'link':
      return link ?? ''
    case 'hora':
      return formatLocalTime(localMinuteAt(now, horario.fuso).minuto)
    default:
      return describeHorario(horario)
  }
}
