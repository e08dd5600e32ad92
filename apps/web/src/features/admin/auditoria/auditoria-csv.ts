import type { Ato } from '@balcao/contract/entities/auditoria'
import { toCsv } from '#shared/download.ts'
import { zonedFormat } from '#shared/format.ts'
import { AUDITORIA_ACTION_LABEL } from './auditoria-labels.ts'

const dateAndTime = zonedFormat({ dateStyle: 'short', timeStyle: 'medium' })

export function personName(person: Ato['quem']): string {
  if (person === null) return 'Sistema'
  return person.nome || person.email || 'Conta apagada'
}

export function auditoriaToCsv(acts: readonly Ato[]): string {
  return toCsv([
    ['Quando', 'Ação', 'Resultado', 'Quem', 'E-mail de quem', 'Sobre quem', 'E-mail sobre quem', 'De onde', 'Detalhe'],
    ...acts.map(({ em, acao, resultado, quem, alvo, ip, detalhe }) => [
      dateAndTime(em).replace(',', ''),
      AUDITORIA_ACTION_LABEL[acao],
      resultado === 'feito' ? 'Feito' : 'Recusado',
      personName(quem),
      quem?.email ?? '',
      alvo === null ? '' : personName(alvo),
      alvo?.email ?? '',
      ip,
      detalhe,
    ]),
  ])
}
