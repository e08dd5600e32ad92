import { CONNECTORS } from '@balcao/contract/connectors'
import type { Aba } from '@balcao/contract/constants'
import { defaultMenu } from '@balcao/contract/defaults'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { VersionedConfig } from '@balcao/contract/entities/config'

export type StepTarget =
  | { readonly tipo: 'aba'; readonly aba: Aba }
  | { readonly tipo: 'elemento'; readonly seletor: string }
  | { readonly tipo: 'pagina'; readonly href: '/simulador' }

export interface FirstStep {
  readonly id: 'conta' | 'clientId' | 'conectar' | 'menu' | 'teste'
  readonly title: string
  readonly done: boolean
  readonly target?: StepTarget
}

export interface FirstStepsInput {
  readonly config: VersionedConfig
  readonly bot: BotStatus
  readonly mensagensNoMes: number
}

function isMenuCustomized(config: VersionedConfig): boolean {
  const padrao = defaultMenu()
  const { menuPrincipal, opcoes, mensagens } = config.menu
  return (
    menuPrincipal !== padrao.menuPrincipal ||
    JSON.stringify(opcoes) !== JSON.stringify(padrao.opcoes) ||
    JSON.stringify(mensagens) !== JSON.stringify(padrao.mensagens)
  )
}

/** The first step is always done: only approved accounts reach this page. */
export function firstStepsOf({ config, bot, mensagensNoMes }: FirstStepsInput): readonly FirstStep[] {
  const simulador = CONNECTORS[config.whatsapp.conector].pairing === 'simulated'
  const connected = bot.status === 'CONECTADO'
  return [
    { id: 'conta', title: 'Conta aprovada', done: true },
    {
      id: 'clientId',
      title: 'Informe o Client ID',
      done: config.whatsapp.clientId.trim() !== '',
      target: { tipo: 'elemento', seletor: '[name=clientId]' },
    },
    {
      id: 'conectar',
      title: 'Inicie o bot e escaneie o QR Code',
      done: connected || bot.conectadoComo !== undefined,
      target: { tipo: 'elemento', seletor: '#status-do-bot' },
    },
    {
      id: 'menu',
      title: 'Personalize o menu',
      done: isMenuCustomized(config),
      target: { tipo: 'aba', aba: 'mensagens' },
    },
    {
      id: 'teste',
      title: 'Faça um atendimento de teste',
      done: mensagensNoMes > 0 || bot.conversasAtivas.length > 0,
      target: simulador ? { tipo: 'pagina', href: '/simulador' } : { tipo: 'aba', aba: 'atendimento' },
    },
  ]
}
