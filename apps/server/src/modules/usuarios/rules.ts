import { EXCLUSAO_DIAS, NOME_DO_COMPONENTE } from '@balcao/contract/administration'
import { COMPONENTES } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import type { ComponentesPermitidos } from '@balcao/contract/entities/usuario'

interface DailyUso {
  readonly mensagensHoje: number
  readonly limiteMensagensDia: number
  readonly semLimite: boolean
}

/** Percent of the daily limit, rounded down, so 100 means reached. 0 without a limit. */
export function usoPercent({ mensagensHoje, limiteMensagensDia, semLimite }: DailyUso): number {
  return semLimite ? 0 : Math.floor((mensagensHoje * 100) / limiteMensagensDia)
}

export function trendPercent(now: number, before: number | null): number | null {
  if (before === null || before === 0) return before === 0 && now === 0 ? 0 : null
  return Math.round(((now - before) * 1000) / before) / 10
}

export function erasedAt(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + EXCLUSAO_DIAS * 86_400_000)
}

export function inPortuguese(value: number): string {
  return value.toLocaleString('pt-BR')
}

export function describePermissionChange(before: ComponentesPermitidos, after: ComponentesPermitidos): string {
  const names = (valor: boolean): string =>
    COMPONENTES.filter((id) => before[id] !== after[id] && after[id] === valor)
      .map((id) => NOME_DO_COMPONENTE[id])
      .join(', ')
  const [ligou, desligou] = [names(true), names(false)]
  const parts = [ligou === '' ? '' : `Ligou ${ligou}`, desligou === '' ? '' : `Desligou ${desligou}`]
  return parts.filter((part) => part !== '').join('; ') || 'Nada mudou'
}

export function describeSettingsChange(before: AdminConfiguracoes, after: AdminConfiguracoes): string {
  const enabled = (valor: boolean): string => (valor ? 'ligado' : 'desligado')
  const changed = (field: keyof AdminConfiguracoes, text: string): string =>
    before[field] === after[field] ? '' : text
  const parts = [
    changed('limiteUsuariosPorPlano', `Usuários por plano: ${inPortuguese(after.limiteUsuariosPorPlano)}`),
    changed('mensagensPorDia', `Mensagens por dia: ${inPortuguese(after.mensagensPorDia)}`),
    changed('permitirAutoRegistro', `Auto-registro ${enabled(after.permitirAutoRegistro)}`),
    changed('notificacoesEmail', `Notificações por e-mail: ${enabled(after.notificacoesEmail)}`),
    changed(
      'exigirSegundoFatorAdmin',
      `Segundo fator dos administradores: ${after.exigirSegundoFatorAdmin ? 'exigido' : 'opcional'}`,
    ),
    changed('politicaSenha', `Política de senha: ${after.politicaSenha}`),
    changed('recusarComuns', `Recusa de senhas comuns: ${enabled(after.recusarComuns)}`),
    changed('suporteWhatsapp', `Suporte pelo WhatsApp: ${after.suporteWhatsapp === '' ? 'sem número' : 'novo número'}`),
  ]
  return parts.filter((part) => part !== '').join('; ') || 'Nada mudou'
}
