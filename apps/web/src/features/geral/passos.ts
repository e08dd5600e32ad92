import type { Aba } from '@balcao/contract/constants'
import { menuPadrao } from '@balcao/contract/defaults'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ConfigVersionada } from '@balcao/contract/entities/config'

export type DestinoDoPasso =
  | { readonly tipo: 'aba'; readonly aba: Aba }
  | { readonly tipo: 'elemento'; readonly seletor: string }
  | { readonly tipo: 'pagina'; readonly href: '/simulador' }

export interface Passo {
  readonly id: 'conta' | 'clientId' | 'conectar' | 'menu' | 'teste'
  readonly titulo: string
  readonly feito: boolean
  readonly destino?: DestinoDoPasso
}

export interface DadosDosPassos {
  readonly config: ConfigVersionada
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function menuPersonalizado(config: ConfigVersionada): boolean {
  const padrao = menuPadrao()
  const { menuPrincipal, opcoes, mensagens } = config.menu
  return (
    menuPrincipal !== padrao.menuPrincipal ||
    JSON.stringify(opcoes) !== JSON.stringify(padrao.opcoes) ||
    JSON.stringify(mensagens) !== JSON.stringify(padrao.mensagens)
  )
}

/** The first step is always done: only approved accounts reach this page. */
export function primeirosPassos({ config, bot, mensagensNoMes }: DadosDosPassos): readonly Passo[] {
  const simulador = config.whatsapp.conector === 'simulador'
  const conectado = bot.status === 'CONECTADO'
  return [
    { id: 'conta', titulo: 'Conta aprovada', feito: true },
    {
      id: 'clientId',
      titulo: 'Informe o Client ID',
      feito: config.whatsapp.clientId.trim() !== '',
      destino: { tipo: 'elemento', seletor: '[name=clientId]' },
    },
    {
      id: 'conectar',
      titulo: 'Inicie o bot e escaneie o QR Code',
      feito: conectado || bot.conectadoComo !== undefined,
      destino: { tipo: 'elemento', seletor: '#status-do-bot' },
    },
    {
      id: 'menu',
      titulo: 'Personalize o menu',
      feito: menuPersonalizado(config),
      destino: { tipo: 'aba', aba: 'mensagens' },
    },
    {
      id: 'teste',
      titulo: 'Faça um atendimento de teste',
      feito: mensagensNoMes > 0 || bot.conversasAtivas.length > 0,
      destino: simulador ? { tipo: 'pagina', href: '/simulador' } : { tipo: 'aba', aba: 'atendimento' },
    },
  ]
}
