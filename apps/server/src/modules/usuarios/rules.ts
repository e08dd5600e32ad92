import { EXCLUSAO_DIAS, NOME_DO_COMPONENTE } from '@balcao/contract/administracao'
import { COMPONENTES, type Plano } from '@balcao/contract/constants'
import type { AdminConfiguracoes } from '@balcao/contract/entities/admin'
import type { ComponentesPermitidos } from '@balcao/contract/entities/usuario'

interface Uso {
  readonly mensagensHoje: number
  readonly limiteMensagensDia: number
  readonly semLimite: boolean
}

/** Percent of the daily limit, rounded down, so 100 means reached. 0 without a limit. */
export function percentualUso({ mensagensHoje, limiteMensagensDia, semLimite }: Uso): number {
  return semLimite ? 0 : Math.floor((mensagensHoje * 100) / limiteMensagensDia)
}

/** Change in percent with one decimal, or null without a base. */
export function tendencia(agora: number, antes: number | null): number | null {
  if (antes === null || antes === 0) return antes === 0 && agora === 0 ? 0 : null
  return Math.round(((agora - antes) * 1000) / antes) / 10
}

export function apagaEm(excluidaEm: Date): Date {
  return new Date(excluidaEm.getTime() + EXCLUSAO_DIAS * 86_400_000)
}

export function semAcentos(texto: string): string {
  return texto.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

export const NOME_DO_PLANO: Readonly<Record<Plano, string>> = { gratuito: 'Gratuito', doacao: 'Doação' }

export function emPortugues(numero: number): string {
  return numero.toLocaleString('pt-BR')
}

export function mudancaDePermissoes(antes: ComponentesPermitidos, depois: ComponentesPermitidos): string {
  const nomes = (valor: boolean): string =>
    COMPONENTES.filter((id) => antes[id] !== depois[id] && depois[id] === valor)
      .map((id) => NOME_DO_COMPONENTE[id])
      .join(', ')
  const [ligou, desligou] = [nomes(true), nomes(false)]
  const partes = [ligou === '' ? '' : `Ligou ${ligou}`, desligou === '' ? '' : `Desligou ${desligou}`]
  return partes.filter((parte) => parte !== '').join('; ') || 'Nada mudou'
}

export function mudancaDeConfiguracoes(antes: AdminConfiguracoes, depois: AdminConfiguracoes): string {
  const ligado = (valor: boolean): string => (valor ? 'ligado' : 'desligado')
  const partes = [
    antes.limiteUsuariosPorPlano === depois.limiteUsuariosPorPlano
      ? ''
      : `Usuários por plano: ${emPortugues(depois.limiteUsuariosPorPlano)}`,
    antes.mensagensPorDia === depois.mensagensPorDia ? '' : `Mensagens por dia: ${emPortugues(depois.mensagensPorDia)}`,
    antes.permitirAutoRegistro === depois.permitirAutoRegistro
      ? ''
      : `Auto-registro ${ligado(depois.permitirAutoRegistro)}`,
    antes.notificacoesEmail === depois.notificacoesEmail
      ? ''
      : `Notificações por e-mail: ${ligado(depois.notificacoesEmail)}`,
  ]
  return partes.filter((parte) => parte !== '').join('; ') || 'Nada mudou'
}
