import type { Ato } from '@balcao/contract/entities/auditoria'
import { toCsv } from '#shared/csv.ts'
import { noFuso } from '#shared/format.ts'
import { ROTULO_DA_ACAO } from './rotulos-da-auditoria.ts'

const diaEHora = noFuso({ dateStyle: 'short', timeStyle: 'medium' })

export function nomeDe(pessoa: Ato['quem']): string {
  if (pessoa === null) return 'Sistema'
  return pessoa.nome || pessoa.email || 'Conta apagada'
}

export function auditoriaEmCsv(atos: readonly Ato[]): string {
  return toCsv([
    ['Quando', 'Ação', 'Resultado', 'Quem', 'E-mail de quem', 'Sobre quem', 'E-mail sobre quem', 'De onde', 'Detalhe'],
    ...atos.map(({ em, acao, resultado, quem, alvo, ip, detalhe }) => [
      diaEHora(em).replace(',', ''),
      ROTULO_DA_ACAO[acao],
      resultado === 'feito' ? 'Feito' : 'Recusado',
      nomeDe(quem),
      quem?.email ?? '',
      alvo === null ? '' : nomeDe(alvo),
      alvo?.email ?? '',
      ip,
      detalhe,
    ]),
  ])
}
